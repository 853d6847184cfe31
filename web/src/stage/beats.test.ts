import { describe, expect, it } from "vitest";
import type { Event } from "../lib/types";
import { along, beatsOf, reasons, TIMES } from "./beats";

let n = 0;
const event = (kind: string, more: Partial<Event> = {}): Event => ({ n: n++, after: 1, kind, text: kind, ...more });
const dice = (...values: number[]) => [{ seat: "red", why: "to hit", values }];

const fire = event("fire", { dice: dice(5, 2), data: { teams: ["a-1", "a-2"], target: "b-1", needed: 4, hits: 1 } });
const hits = event("hits", { data: { hits: { "b-1": 1, "b-2": 0 } } });
const lost = event("lost", { data: { team: "b-1", unit: "b" } });

describe("beats", () => {
  it("shows a shot as who, line, dice and what became of whom", () => {
    const beats = beatsOf([fire, hits, lost]);
    expect(beats.map((beat) => beat.kind)).toEqual(["who", "line", "dice", "result"]);
    expect(beats[1]!.actors).toEqual(["a-1", "a-2"]);
    expect(beats[1]!.targets).toEqual(["b-1"]);
    expect(beats[3]!.texts).toEqual(["hits", "lost"]);
    expect(beats[3]!.marks).toEqual({ "b-1": 1 });
    expect(beats[3]!.time).toBeGreaterThan(TIMES.result);
  });

  it("takes a unit where no pieces are named", () => {
    const [who] = beatsOf([event("shooting", { dice: dice(3), data: { unit: "a", target: "b" } })]);
    expect([who!.actors, who!.targets]).toEqual([["a"], ["b"]]);
  });

  it("shows a move once, along its ways", () => {
    const beats = beatsOf([event("move", { data: { unit: "a", ways: { "a-1": [[0, 0], [3, 4]], "a-2": [[1, 1]] } } })]);
    expect(beats.map((beat) => beat.kind)).toEqual(["move"]);
    expect(Object.keys(beats[0]!.ways)).toEqual(["a-1"]);
  });

  it("shows dice that are thrown at nobody by themselves", () => {
    expect(beatsOf([event("order-dice", { dice: dice(4, 4, 1) })]).map((beat) => beat.kind)).toEqual(["dice"]);
  });

  it("tells together what goes without dice", () => {
    const told = [1, 2, 3, 4, 5].map((k) => event(`turn ${k}`));
    expect(beatsOf(told).map((beat) => beat.texts.length)).toEqual([4, 1]);
  });

  it("gives time to read what is only told", () => {
    const [short, long] = ["Red deploys.", "[[unit:a|Red 1st Platoon]] fires at [[unit:b|Blue 2nd Platoon]] needing 7+: no die can hit."].map((text) => beatsOf([event("told", { text })])[0]!);
    expect(short!.time).toBe(TIMES.told);
    expect(long!.time).toBeGreaterThan(TIMES.told + 500);
    expect(long!.time).toBeLessThan(2000);
  });

  it("keeps two shots apart", () => {
    const kinds = beatsOf([fire, hits, fire, hits]).map((beat) => beat.kind);
    expect(kinds).toEqual(["who", "line", "dice", "result", "who", "line", "dice", "result"]);
  });

  it("reads no text", () => {
    const odd = { ...fire, text: "[[team:zz|Nobody]] fires at itself" };
    expect(beatsOf([odd])[1]!.targets).toEqual(["b-1"]);
  });
});

describe("what falls", () => {
  const shells = { falls: "shells", at: [10, 20], radius: 4 };

  it("is seen where it falls, and what it does there is told after it", () => {
    const beats = beatsOf([event("fire-for-effect", { data: { unit: "a", ...shells } }), event("barrage", { data: { ...shells, rfps: { "b-1": 2 } } })]);
    expect(beats.map((beat) => beat.kind)).toEqual(["falls", "result"]);
    expect(beats[0]!.fall).toEqual({ what: "shells", spots: [[10, 20]], radius: 4, size: 0, facing: 0 });
    expect(beats[1]!.marks).toEqual({ "b-1": 2 });
  });

  it("may fall in several places, or as a square", () => {
    const [one] = beatsOf([event("smoke", { data: { falls: "smoke", at: [[1, 1], [2, 2]], radius: 1.5 } })]);
    expect(one!.fall!.spots).toEqual([[1, 1], [2, 2]]);
    const [other] = beatsOf([event("template", { data: { falls: "shells", at: [5, 5], size: 6, facing: 45 } })]);
    expect([other!.fall!.size, other!.fall!.facing]).toEqual([6, 45]);
  });

  it("shows its dice before it falls", () => {
    const kinds = beatsOf([event("bombs", { dice: dice(3), data: shells })]).map((beat) => beat.kind);
    expect(kinds).toEqual(["dice", "falls"]);
  });
});

describe("what is gained", () => {
  const gain = { gain: { side: "red", what: "Break Points", number: 2 } };

  it("is announced with its dice", () => {
    const beats = beatsOf([event("break", { dice: dice(4), data: { target: "b", ...gain } })]);
    expect(beats.map((beat) => beat.gains.length)).toEqual([0, 0, 1]);
    expect(beats[2]!.gains[0]).toMatchObject({ side: "red", what: "Break Points", number: 2 });
  });

  it("adds up in what is told together, and nothing is none", () => {
    const none = { gain: { side: "blue", what: "Hero Points", number: 0 } };
    const [told] = beatsOf([event("one", { data: gain }), event("two", { data: gain }), event("three", { data: none })]);
    expect(told!.gains.length).toBe(2);
  });
});

describe("a way", () => {
  const way: [number, number][] = [[0, 0], [4, 0], [4, 4]];
  it("is gone evenly, round its corners", () => {
    expect(along(way, 0)).toEqual([0, 0]);
    expect(along(way, 0.25)).toEqual([2, 0]);
    expect(along(way, 0.75)).toEqual([4, 2]);
    expect(along(way, 1)).toEqual([4, 4]);
  });
  it("may be no way at all", () => {
    expect(along([[2, 2], [2, 2]], 0.5)).toEqual([2, 2]);
  });
});

describe("the reasons beside the dice", () => {
  it("are said once, without what differs", () => {
    const far = (inches: number) => ({ amount: 1, words: `long range (${inches} inches)`, rule: "far" });
    const dug = { amount: -1, words: "dug in", rule: "dug" };
    expect(reasons(event("fire", { modifiers: [far(27.9), far(32.4), dug] }))).toEqual(["+1 long range", "−1 dug in"]);
    expect(reasons(event("fire", { modifiers: [far(27.9)] }))).toEqual(["+1 long range (27.9 inches)"]);
    expect(reasons(event("fire"))).toEqual([]);
  });
});
