import { describe, expect, it } from "vitest";
import type { Scene } from "../lib/types";
import type { Beat } from "./beats";
import { moved } from "./moved";

const scene = {
  pieces: ["a-1", "b-1"].map((id) => ({ id, unit: id[0], place: { x: 0, y: 0, facing: 0 } })),
  bodies: ["a", "b"].map((id) => ({ id, side: "red", hull: [[0, 0]], rim: 1 })),
} as unknown as Scene;
const beat = { ways: { "a-1": [[0, 0], [0, 6]] } } as unknown as Beat;

describe("a scene with pieces on their ways", () => {
  it("has no outline where nobody of the unit is any more", () => {
    const half = moved(scene, beat, 0.5);
    expect(half.pieces.map(({ place }) => place.y)).toEqual([3, 0]);
    expect(half.bodies.map(({ id }) => id)).toEqual(["b"]);
    expect(scene.bodies).toHaveLength(2);
  });
});
