import { describe, expect, it } from "vitest";
import type { Scene, ScenePiece } from "../lib/types";
import { layLabels, type Before } from "./labels";

const SCALE = 14;

function man(unit: string, n: number, x: number, y: number): ScenePiece {
  return {
    id: `${unit}-${n}`,
    unit,
    side: "red",
    kind: "figure",
    label: n ? "" : `The squad called ${unit}`,
    title: "",
    leader: "",
    badges: [],
    footprint: { width: 1, depth: 1, shape: "circle" },
    place: { x, y, facing: 0, level: 0 },
  } as unknown as ScenePiece;
}

function scene(squads: Record<string, [number, number]>): Scene {
  const pieces = Object.entries(squads).flatMap(([unit, [x, y]]) => [0, 1, 2].map((n) => man(unit, n, x + 1.4 * n, y)));
  return { width: 60, depth: 40, pieces, bodies: [], spots: [], areas: [], features: [], looks: {} } as unknown as Scene;
}

const labelled = (laid: ReturnType<typeof layLabels>, unit: string) => laid.labels.find((label) => label.unit === unit)!;
const off = ([x, y]: readonly [number, number], [ax, ay]: [number, number]) => [x - ax, y - ay].map((each) => Math.round(each * 100) / 100 + 0);

describe("labels", () => {
  it("stay beside their unit where they lay, whoever comes near or goes away", () => {
    const before: Before = new Map();
    const lay = (squads: Record<string, [number, number]>) => layLabels(scene(squads), SCALE, new Map(), [], null, before);
    // One squad below keeps the label of the other above it.
    const first = labelled(lay({ a: [20, 20], b: [20, 18.4] }), "a");
    const moved = labelled(lay({ a: [30, 25], b: [50, 5] }), "a");
    expect(off(moved.at, [30, 25])).toEqual(off(first.at, [20, 20]));
    // Where another stands meanwhile it gives way.
    const taken = labelled(lay({ a: [30, 25], b: [moved.at[0] - 1.4, moved.at[1]] }), "a");
    expect(taken.at).not.toEqual(moved.at);
  });

  it("are laid first for whom one looks at", () => {
    const squads: Record<string, [number, number]> = Object.fromEntries([..."abdefghic"].map((unit, k) => [unit, [20, 24 - 1.3 * (unit === "c" ? 4.5 : k)]]));
    const lay = (looked: string | null) => labelled(layLabels(scene(squads), SCALE, new Map(), [], looked), "c");
    const far = (at: readonly [number, number]) => Math.hypot(at[0] - 21.4, at[1] - 18.15);
    expect(far(lay("c").at)).toBeLessThan(far(lay(null).at));
  });
});
