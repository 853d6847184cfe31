/** Geometry in inches, y up from the near edge: outlines, strewn spots, distances between bases, contours. */

import type { Footprint, Point } from "../lib/types";

export type Disc = [x: number, y: number, r: number];
export type Edge = { a: Point; b: Point; inwards: Point };

/** A number in [0, 1) that looks random and depends on the spot alone: the same table is the same picture. */
export function noise(x: number, y: number, salt = 0): number {
  let mixed = Math.imul(Math.round(x * 100), 73856093) ^ Math.imul(Math.round(y * 100), 19349663) ^ Math.imul(salt, 83492791);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1274126177);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 2246822519);
  return ((mixed ^ (mixed >>> 16)) & 0xffff) / 0x10000;
}

export const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);
export const between = (a: Point, b: Point, share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
export const plus = (a: Point, b: Point, times = 1): Point => [a[0] + b[0] * times, a[1] + b[1] * times];

/** The forward vector of a compass facing. */
export function heading(facing: number): Point {
  const angle = (facing * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
}

/** The points so many inches away from a place, in as many directions all round, clockwise from north. */
export function rim(at: Point, inches: number[]): Point[] {
  return inches.map((far, index) => plus(at, heading((360 * index) / inches.length), far));
}

/** The compass facing from one point to another. */
export const bearing = (a: Point, b: Point) => (((Math.atan2(b[0] - a[0], b[1] - a[1]) * 180) / Math.PI) + 360) % 360;

export const short = (value: number) => Number(value.toFixed(2)).toString();

function pairs<T>(items: T[]): [T, T][] {
  return items.map((item, index) => [item, items[(index + 1) % items.length] as T]);
}

export function signedArea(points: Point[]): number {
  return pairs(points).reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0) / 2;
}

export function middle(points: Point[]): Point {
  const count = Math.max(1, points.length);
  return [points.reduce((sum, p) => sum + p[0], 0) / count, points.reduce((sum, p) => sum + p[1], 0) / count];
}

export function edges(points: Point[]): Edge[] {
  const sense = signedArea(points) > 0 ? 1 : -1;
  return pairs(points).flatMap(([a, b]) => {
    const length = distance(a, b);
    return length > 0 ? [{ a, b, inwards: [(sense * (a[1] - b[1])) / length, (sense * (b[0] - a[0])) / length] as Point }] : [];
  });
}

export function longest(sides: Edge[]): Edge {
  return sides.reduce((best, side) => (distance(side.a, side.b) > distance(best.a, best.b) + 1e-6 ? side : best));
}

/** Parallel lines `gap` apart along the unit vector, cut to the area. */
export function spans(points: Point[], [ux, uy]: Point, gap: number): [Point, Point][] {
  const turned = points.map(([x, y]): Point => [x * ux + y * uy, y * ux - x * uy]);
  const rows = turned.map((p) => p[1]);
  const found: [Point, Point][] = [];
  for (let row = Math.floor(Math.min(...rows) / gap); row <= Math.ceil(Math.max(...rows) / gap); row++) {
    const v = (row + 0.5) * gap;
    const cuts = pairs(turned)
      .filter(([a, b]) => a[1] > v !== b[1] > v)
      .map(([a, b]) => a[0] + ((v - a[1]) / (b[1] - a[1])) * (b[0] - a[0]))
      .sort((a, b) => a - b);
    for (let k = 0; k + 1 < cuts.length; k += 2) {
      const u0 = cuts[k] as number;
      const u1 = cuts[k + 1] as number;
      found.push([
        [u0 * ux - v * uy, u0 * uy + v * ux],
        [u1 * ux - v * uy, u1 * uy + v * ux],
      ]);
    }
  }
  return found;
}

/** Spots strewn over an area, about one a square of `gap` inches, none at its very edge. */
export function scatter(points: Point[], gap: number): Point[] {
  return spans(points, [1, 0], gap).flatMap(([[x0, y], [x1]]) => {
    const found: Point[] = [];
    for (let column = Math.ceil(x0 / gap - 0.5); column <= Math.floor(x1 / gap - 0.5); column++) {
      let x = (column + 0.5) * gap;
      x += (noise(x, y, 1) - 0.5) * gap * 0.7;
      if (x0 + gap * 0.15 <= x && x <= x1 - gap * 0.15) found.push([x, y + (noise(x, y, 2) - 0.5) * gap * 0.3]);
    }
    return found;
  });
}

/** The outline moved inwards; a sharp corner may stay a little out of true. */
export function inset(points: Point[], by: number): Point[] {
  const sides = edges(points);
  return sides.map((side, k) => {
    const before = (sides[k - 1] ?? sides.at(-1)) as Edge;
    const [n0, n1] = [before.inwards, side.inwards];
    const share = by / Math.max(0.4, 1 + n0[0] * n1[0] + n0[1] * n1[1]);
    return plus(side.a, [n0[0] + n1[0], n0[1] + n1[1]], share);
  });
}

/** Discs along the inside of an outline, like the crowns at the edge of a wood. */
export function bumps(points: Point[], depth: number, step: number, radius: number): Disc[] {
  return edges(points).flatMap(({ a, b, inwards }) => {
    const count = Math.max(1, Math.round(distance(a, b) / step));
    return Array.from({ length: count }, (_, k): Disc => {
      const at = between(a, b, (k + 0.5) / count);
      const spot = plus(at, inwards, depth * (0.8 + 0.5 * noise(at[0], at[1], 3)));
      return [...spot, radius * (0.8 + 0.4 * noise(at[0], at[1], 4))];
    });
  });
}

/** Spots along a line, `step` apart. */
export function along(points: Point[], step: number): Point[] {
  const found: Point[] = [];
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k] as Point, points[k + 1] as Point];
    const count = Math.max(1, Math.round(distance(a, b) / step));
    for (let n = 0; n < count; n++) found.push(between(a, b, (n + 0.5) / count));
  }
  return found;
}

export function pathLength(points: Point[]): number {
  return points.slice(1).reduce((sum, point, k) => sum + distance(points[k] as Point, point), 0);
}

// Bases.

/** The corners of a base; a circle as a fine polygon. */
export function outline(footprint: Footprint, at: Point, facing: number): Point[] {
  const [sin, cos] = heading(facing);
  const [w, d] = [footprint.width / 2, footprint.depth / 2];
  if (footprint.shape === "circle")
    return Array.from({ length: 24 }, (_, k) => plus(at, heading(k * 15), w));
  return [[-w, -d], [w, -d], [w, d], [-w, d]].map(([x = 0, y = 0]) => [at[0] + x * cos + y * sin, at[1] - x * sin + y * cos]);
}

function toSegment(p: Point, a: Point, b: Point): { gap: number; at: Point } {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  const at = between(a, b, share);
  return { gap: distance(p, at), at };
}

export function inside(p: Point, points: Point[]): boolean {
  let within = false;
  for (const [a, b] of pairs(points))
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < a[0] + ((p[1] - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) within = !within;
  return within;
}

/** The shortest line between two outlines; an outline may be a single point. */
export function gap(one: Point[], two: Point[]): { inches: number; from: Point; to: Point } {
  let best = { inches: Infinity, from: one[0] as Point, to: two[0] as Point };
  const near = (points: Point[], others: Point[], turned: boolean) => {
    for (const p of points) {
      for (const [a, b] of pairs(others)) {
        const { gap, at } = toSegment(p, a, b);
        if (gap < best.inches) best = turned ? { inches: gap, from: at, to: p } : { inches: gap, from: p, to: at };
      }
    }
  };
  near(one, two, false);
  near(two, one, true);
  const overlap = one.some((p) => two.length > 2 && inside(p, two)) || two.some((p) => one.length > 2 && inside(p, one));
  return overlap ? { ...best, inches: 0 } : best;
}

// Shading.

/**
 * Smooth outlines around the cells that are not seen. The grid is softened first, so that the steps of its cells
 * vanish; `level` moves the outline inwards or outwards.
 */
export function shadeOutlines(rows: string[], cell: number, level: number): Point[][] {
  const deep = rows.length;
  const wide = Math.max(0, ...rows.map((row) => row.length));
  const dark = (x: number, y: number) => {
    const row = rows[Math.max(0, Math.min(deep - 1, y))];
    return row?.[Math.max(0, Math.min(wide - 1, x))] === "1" ? 0 : 1;
  };
  const soft = (x: number, y: number) => {
    // Beyond the table nothing is shaded: so every outline closes.
    if (x < 0 || y < 0 || x >= wide || y >= deep) return 0;
    let sum = 2 * dark(x, y);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as Point[]) sum += dark(x + dx, y + dy);
    return sum / 6;
  };
  const values = Array.from({ length: deep + 2 }, (_, y) => Array.from({ length: wide + 2 }, (_, x) => soft(x - 1, y - 1)));
  const value = (x: number, y: number) => values[y + 1]?.[x + 1] ?? 0;
  const place = (x: number, y: number): Point => [
    Math.max(0, Math.min(wide, x + 0.5)) * cell,
    Math.max(0, Math.min(deep, y + 0.5)) * cell,
  ];
  const cut = (a: Point, b: Point): Point => {
    const [va, vb] = [value(...a), value(...b)];
    return between(a, b, Math.max(0, Math.min(1, (level - va) / (vb - va))));
  };
  const next = new Map<string, { key: string; at: Point }>();
  const key = (a: Point, b: Point) => (a[0] + a[1] * 4096 < b[0] + b[1] * 4096 ? `${a} ${b}` : `${b} ${a}`);
  for (let y = -1; y < deep; y++) {
    for (let x = -1; x < wide; x++) {
      const corners: Point[] = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
      const above = corners.map((corner) => value(...corner) > level);
      // Each side where the outline enters or leaves, walking round the square with the dark on the left.
      const enters: [Point, Point][] = [];
      const leaves: [Point, Point][] = [];
      for (let k = 0; k < 4; k++) {
        const [a, b] = [corners[k] as Point, corners[(k + 1) % 4] as Point];
        if (above[k] && !above[(k + 1) % 4]) leaves.push([a, b]);
        if (!above[k] && above[(k + 1) % 4]) enters.push([a, b]);
      }
      leaves.forEach((from, k) => {
        const to = enters[k] ?? enters[0];
        if (to) next.set(key(...from), { key: key(...to), at: cut(...from) });
      });
    }
  }
  const found: Point[][] = [];
  while (next.size) {
    const ring: Point[] = [];
    let at: string | undefined = next.keys().next().value;
    while (at !== undefined) {
      const step = next.get(at);
      if (!step) break;
      next.delete(at);
      ring.push(place(...step.at));
      at = step.key;
    }
    if (ring.length > 2) found.push(ring);
  }
  return found;
}
