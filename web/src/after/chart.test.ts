import { describe, expect, it } from "vitest";
import type { Curve } from "../lib/types";
import { apart, stepped, topOf } from "./chart";

const curve = (limit: number, ...values: [number, number][]): Curve => ({
  name: "Break Points",
  side: "red",
  limit,
  marks: values.map(([number, value]) => ({ number, value, turn: 1 })),
});

describe("a curve", () => {
  it("steps where the figure changed", () => {
    const frame = { wide: 100, high: 50, answers: 10, top: 5 };
    expect(stepped(curve(0, [0, 0], [5, 5], [10, 5]), frame)).toBe("M0 50L50 50L50 0L100 0L100 0");
  });
  it("may be empty", () => {
    expect(stepped(curve(0), { wide: 100, high: 50, answers: 0, top: 0 })).toBe("");
  });
  it("shows its limit only where that is near", () => {
    expect(topOf([curve(19, [0, 0], [5, 9])])).toBe(19);
    expect(topOf([curve(90, [0, 0], [5, 9])])).toBe(9);
  });
});

describe("the numbers of the moments", () => {
  it("lie side by side, within the chart, in their order", () => {
    expect(apart([10, 15, 100], 20, 300)).toEqual([10, 30, 100]);
    expect(apart([10, 290, 295], 20, 300)).toEqual([10, 280, 300]);
    expect(apart([], 20, 300)).toEqual([]);
  });
});
