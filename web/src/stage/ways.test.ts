import { describe, expect, it } from "vitest";
import type { Event, Point, Scene } from "../lib/types";
import { beatsOf } from "./beats";
import { inStages, parted, type Rest } from "./ways";

let n = 0;
const event = (kind: string, more: Partial<Event> = {}): Event => ({ n: n++, after: 1, kind, text: kind, ...more });
const scene = (places: Record<string, Point>): Scene =>
  ({ pieces: Object.entries(places).map(([id, [x, y]]) => ({ id, unit: id[0], place: { x, y, facing: 0 } })) }) as unknown as Scene;

const order = event("move", { data: { unit: "a", ways: { "a-1": [[0, 0], [6, 0]], "a-2": [[0, 1], [6, 1]] } } });
const check = event("check", { dice: [{ seat: "blue", why: "to activate", values: [4] }], data: { unit: "b" } });
const fire = event("fire", { dice: [{ seat: "blue", why: "to hit", values: [4] }], data: { unit: "b", target: "a" } });
const lost = event("lost", { data: { unit: "a" } });
const [start, half, end] = [0, 3, 6].map((x) => scene({ "a-1": [x, 0], "a-2": [x, 1], "b-1": [20, 0] }));
const ends = (ways: Record<string, Point[]>) => Object.values(ways).map((way) => way.at(-1));

describe("a way in parts", () => {
  it("is parted where somebody stands on it", () => {
    expect(parted([[0, 0], [4, 0], [4, 4]], [4, 1])).toEqual([[[0, 0], [4, 0], [4, 1]], [[4, 1], [4, 4]]]);
    expect(parted([[0, 0], [4, 0]], [2, 3])).toBeNull();
  });

  it("is gone at once by whoever is not stopped", () => {
    const [move] = inStages(beatsOf([order]), start!, end!, new Map());
    expect(ends(move!.ways)).toEqual([[6, 0], [6, 1]]);
  });

  it("is not gone before the table says so", () => {
    const rest: Rest = new Map();
    const [told] = inStages(beatsOf([order]), start!, start!, rest);
    expect(told!.ways).toEqual({});
    const later = inStages(beatsOf([check]), start!, end!, rest);
    expect(later.map(({ kind }) => kind)).toEqual(["move", "dice"]);
    expect(ends(later[0]!.ways)).toEqual([[6, 0], [6, 1]]);
    expect(rest.size).toBe(0);
  });

  it("goes on after the fire that met those who are on it", () => {
    const rest: Rest = new Map();
    const [first] = inStages(beatsOf([order]), start!, half!, rest);
    expect(ends(first!.ways)).toEqual([[3, 0], [3, 1]]);
    const later = inStages(beatsOf([fire, lost, check]), half!, scene({ "a-1": [6, 0], "b-1": [20, 0] }), rest);
    expect(later.map(({ kind }) => kind)).toEqual(["who", "line", "dice", "result", "move", "dice"]);
    expect(later[4]!.ways).toEqual({ "a-1": [[3, 0], [6, 0]] });
    expect(rest.size).toBe(0);
  });

  it("is forgotten by whoever is sent elsewhere", () => {
    const rest: Rest = new Map();
    inStages(beatsOf([order]), start!, start!, rest);
    const other = event("move", { data: { unit: "a", ways: { "a-1": [[0, 0], [0, 9]], "a-2": [[0, 1], [0, 10]] } } });
    const [move] = inStages(beatsOf([other]), start!, scene({ "a-1": [0, 9], "a-2": [0, 10] }), rest);
    expect(ends(move!.ways)).toEqual([[0, 9], [0, 10]]);
    expect(rest.size).toBe(0);
  });
});
