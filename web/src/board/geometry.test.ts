import { describe, expect, it } from "vitest";
import type { Footprint, Point } from "../lib/types";
import { bearing, gap, inset, outline, rim, scatter, shadeOutlines, signedArea } from "./geometry";

const base: Footprint = { width: 2, depth: 1, shape: "rectangle" };

describe("bases", () => {
  it("measures between edges", () => {
    const found = gap(outline(base, [0, 0], 0), outline(base, [10, 0], 90));
    expect(found.inches).toBeCloseTo(10 - 1 - 0.5);
  });
  it("measures from a point to an edge", () => {
    expect(gap([[5, 0]], outline(base, [0, 0], 0)).inches).toBeCloseTo(4);
  });
  it("finds no gap between bases that overlap", () => {
    expect(gap(outline(base, [0, 0], 0), outline(base, [0.5, 0.2], 30)).inches).toBe(0);
  });
  it("turns clockwise from north", () => {
    expect(bearing([0, 0], [1, 0])).toBeCloseTo(90);
    const corners = outline(base, [0, 0], 90);
    expect(Math.max(...corners.map(([x]) => x))).toBeCloseTo(0.5);
    expect(rim([1, 1], [2, 3, 4, 5]).flat().map(Math.round)).toEqual([1, 3, 4, 1, 1, -3, -4, 1]);
  });
});

describe("areas", () => {
  const square: Point[] = [[0, 0], [10, 0], [10, 10], [0, 10]];
  it("shrinks", () => expect(Math.abs(signedArea(inset(square, 1)))).toBeCloseTo(64));
  it("strews the same spots each time", () => expect(scatter(square, 1.3)).toEqual(scatter(square, 1.3)));
});

describe("shading", () => {
  it("closes an outline around what is not seen", () => {
    const rows = ["1111111", "1111111", "1100011", "1100011", "1100011", "1111111", "1111111"];
    const [ring, ...more] = shadeOutlines(rows, 2, 0.5);
    expect(more).toHaveLength(0);
    expect(Math.abs(signedArea(ring as Point[]))).toBeGreaterThan(16);
    expect(Math.abs(signedArea(ring as Point[]))).toBeLessThan(44);
  });
  it("leaves a lit island within the dark", () => {
    const rows = Array.from({ length: 9 }, (_, y) => (y > 2 && y < 6 ? "000111000" : "000000000"));
    expect(shadeOutlines(rows, 1, 0.5)).toHaveLength(2);
  });
});
