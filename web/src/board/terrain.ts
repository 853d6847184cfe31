/** The brushes that paint terrain: each turns the features of one look into strokes and fills, in inches, y down. */

import type { Feature, Look, Point, Scene } from "../lib/types";
import { LOOKS } from "../lib/wire";
import {
  along,
  between,
  bumps,
  distance,
  edges,
  inset,
  longest,
  middle,
  noise,
  plus,
  scatter,
  short,
  signedArea,
  spans,
  type Disc,
} from "./geometry";

/** One element: its path, and inks by the palette's word. */
export interface Paint {
  d: string;
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: string;
  opacity?: number;
  round?: boolean;
}

const ink = (word: string) => `var(--${word})`;

/** Collects what is painted; takes inches with y up, keeps paths with y down. */
export class Canvas {
  readonly paints: Paint[] = [];

  constructor(readonly depth: number) {}

  add(d: string, paint: Omit<Paint, "d">): void {
    if (d) this.paints.push({ d, ...paint });
  }

  at([x, y]: Point): string {
    return `${short(x)} ${short(this.depth - y)}`;
  }

  line(points: Point[], closed = false): string {
    return points.length ? `M${points.map((p) => this.at(p)).join("L")}${closed ? "Z" : ""}` : "";
  }

  lines(all: Point[][]): string {
    return all.map((points) => this.line(points)).join("");
  }

  discs(discs: Disc[]): string {
    return discs
      .map(([x, y, r]) => `M${this.at([x - r, y])}a${short(r)} ${short(r)} 0 1 1 ${short(2 * r)} 0a${short(r)} ${short(r)} 0 1 1 ${short(-2 * r)} 0z`)
      .join("");
  }

  area(points: Point[], fill: string, more: Omit<Paint, "d" | "fill"> = {}): void {
    this.add(this.line(points, true), { fill: ink(fill), ...more });
  }

  ring(points: Point[], stroke: string, width: number, more: Partial<Paint> = {}): void {
    this.add(this.line(points, true), { stroke: ink(stroke), width, round: true, ...more });
  }
}

interface Ink {
  colour: string;
  width: number;
  dash?: string;
}

/** Lines, stroke by stroke from below. The last solid stroke is the body of the line. */
const LINES: Partial<Record<Look, Ink[]>> = {
  road: [{ colour: "road-edge", width: 1.72 }, { colour: "road", width: 1.5 }, { colour: "rut", width: 0.1, dash: "1.6 1.1" }],
  track: [{ colour: "road-edge", width: 1.15 }, { colour: "road", width: 1 }, { colour: "rut", width: 0.09, dash: "0.8 0.8" }],
  railway: [{ colour: "plank-edge", width: 0.9, dash: "0.2 0.5" }, { colour: "rail", width: 0.45 }, { colour: "linen", width: 0.25 }],
  river: [{ colour: "bank", width: 2.2 }, { colour: "water", width: 2 }, { colour: "water-light", width: 0.1, dash: "1.3 1.7" }],
  stream: [{ colour: "bank", width: 0.95 }, { colour: "water", width: 0.75 }, { colour: "water-light", width: 0.1, dash: "0.9 1.3" }],
  hedge: [{ colour: "earth", width: 0.34 }],
  bocage: [{ colour: "earth", width: 1.1 }],
  wall: [{ colour: "wall-dark", width: 0.42 }, { colour: "wall", width: 0.26 }, { colour: "wall-dark", width: 0.26, dash: "0.06 0.54" }],
  "high-wall": [{ colour: "wall-dark", width: 0.7 }, { colour: "wall", width: 0.5 }, { colour: "wall-dark", width: 0.5, dash: "0.07 0.63" }],
  fence: [{ colour: "fence", width: 0.1 }, { colour: "fence", width: 0.42, dash: "0.12 0.88" }],
  wire: [{ colour: "muted", width: 0.07 }, { colour: "muted", width: 0.5, dash: "0.06 0.34" }],
  trench: [{ colour: "earth", width: 1 }, { colour: "rut", width: 0.55 }],
  other: [{ colour: "muted", width: 0.2, dash: "0.4 0.3" }],
};

/** Ink by ink over all lines, so that roads join at a crossing. */
function paintLines(look: Look, canvas: Canvas, features: Feature[]): void {
  const inks = LINES[look] ?? [];
  const bushy = look === "hedge" || look === "bocage";
  const fill = bushy ? "hedge" : (inks.findLast((each) => !each.dash)?.colour ?? look);
  const open = features.filter((feature) => feature.closed === false);
  const closed = features.filter((feature) => feature.closed !== false);
  for (const feature of closed) canvas.ring(feature.points, inks[0]?.colour ?? "muted", 0.2);
  for (const { colour, width, dash } of inks) {
    const d = canvas.lines(open.map((feature) => feature.points));
    canvas.add(d, { stroke: ink(colour), width, round: !dash, ...(dash ? { dash } : {}) });
  }
  for (const feature of closed) {
    canvas.area(feature.points, fill);
    if (look === "river" || look === "stream") ripples(canvas, feature);
    if (look === "trench") revetted(canvas, feature);
  }
  if (bushy) bushes(look, canvas, open);
}

function bushes(look: Look, canvas: Canvas, features: Feature[]): void {
  const size = look === "bocage" ? 0.46 : 0.3;
  const crowns = features.flatMap(({ points }) =>
    along(points, size * 1.35).map(([x, y]): Disc => {
      const sway = (noise(x, y, 1) - 0.5) * size * 0.5;
      return [x + sway, y + (noise(x, y, 2) - 0.5) * size * 0.5, size * (0.8 + 0.4 * noise(x, y, 4))];
    }),
  );
  canvas.add(canvas.discs(crowns.map(([x, y, r]) => [x + 0.09, y - 0.1, r])), { fill: ink("shade"), opacity: 0.18 });
  canvas.add(canvas.discs(crowns), { fill: ink("hedge"), stroke: ink("hedge-dark"), width: 0.09 });
  canvas.add(canvas.discs(crowns.map(([x, y, r]) => [x, y, r * 0.93])), { fill: ink("hedge") });
  canvas.add(canvas.discs(crowns.map(([x, y, r]) => [x - r * 0.25, y + r * 0.3, r * 0.4])), { fill: ink("canopy-light"), opacity: 0.6 });
}

function ripples(canvas: Canvas, feature: Feature): void {
  const waves = scatter(feature.points, 2).map(([x, y]) => `M${canvas.at([x - 0.4, y])}q.2 -.22 .4 0t.4 0`);
  canvas.add(waves.join(""), { stroke: ink("water-light"), width: 0.09, round: true });
}

/** A trench that is an area is dug: its spoil heaped along the rim, a dark floor, boards across it. */
function revetted(canvas: Canvas, { points }: Feature): void {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const wide = Math.max(...xs) - Math.min(...xs) >= Math.max(...ys) - Math.min(...ys);
  canvas.add(canvas.lines(spans(points, wide ? [0, 1] : [1, 0], 0.55)), { stroke: ink("wall-dark"), width: 0.16, opacity: 0.75 });
  canvas.ring(points, "earth", 0.55);
  canvas.ring(points, "wall-dark", 0.1);
}

const top = (feature: Feature) => (feature.floor ?? 0) + (feature.height ?? 0);

/** Low ground first; each higher step a darker shade, short strokes running down from its contour. */
function paintHill(canvas: Canvas, features: Feature[]): void {
  const tops = [...new Set(features.map(top))].sort((a, b) => a - b);
  for (const feature of [...features].sort((a, b) => top(a) - top(b))) {
    const shade = Math.min(3, 1 + tops.indexOf(top(feature)));
    canvas.area(feature.points, shade === 1 ? "hill" : `hill${shade}`);
    canvas.ring(feature.points, "contour", 0.11);
    if (!features.some((other) => standsOn(other, feature))) innerContours(canvas, feature);
    const strokes = edges(feature.points).flatMap(({ a, b, inwards }) => {
      const count = Math.max(1, Math.round(distance(a, b) / 0.8));
      return Array.from({ length: count }, (_, k): Point[] => {
        const from = between(a, b, (k + 0.5) / count);
        return [from, plus(from, inwards, 0.4 + 0.35 * noise(...from))];
      });
    });
    canvas.add(canvas.lines(strokes), { stroke: ink("contour"), width: 0.07, opacity: 0.75 });
  }
}

function standsOn(upper: Feature, lower: Feature): boolean {
  const [x, y] = middle(upper.points);
  const xs = lower.points.map((p) => p[0]);
  const ys = lower.points.map((p) => p[1]);
  return top(upper) > top(lower) && Math.min(...xs) < x && x < Math.max(...xs) && Math.min(...ys) < y && y < Math.max(...ys);
}

function innerContours(canvas: Canvas, feature: Feature): void {
  const centre = middle(feature.points);
  // Shrinking towards the middle stays inside only where every edge can be seen from there.
  const seen = edges(feature.points).every(
    ({ a, inwards }) => (centre[0] - a[0]) * inwards[0] + (centre[1] - a[1]) * inwards[1] > 1.5,
  );
  if (!seen) return;
  for (const share of [0.68, 0.36]) {
    const ring = feature.points.map((point) => between(centre, point, share));
    canvas.area(ring, "contour", { opacity: 0.1 });
    canvas.ring(ring, "contour", 0.06, { opacity: 0.6 });
  }
}

/** The ground of the wood with its true edge, and a canopy of crowns on it. */
function paintWood(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    const crowns = [
      ...bumps(points, 0.55, 1.05, 0.58),
      ...scatter(points, 1.3).map(([x, y]): Disc => [x, y, 0.55 + 0.35 * noise(x, y, 5)]),
    ];
    canvas.area(points, "wood");
    canvas.add(canvas.discs(crowns.map(([x, y, r]) => [x + 0.14, y - 0.16, r])), { fill: ink("canopy-dark"), opacity: 0.35 });
    canvas.add(canvas.discs(crowns), { fill: ink("canopy-dark"), stroke: ink("canopy-dark"), width: 0.14, opacity: 0.85 });
    canvas.add(canvas.discs(crowns.filter(([x, y]) => noise(x, y, 8) < 0.6)), { fill: ink("canopy") });
    canvas.add(canvas.discs(crowns.filter(([x, y]) => noise(x, y, 8) >= 0.6)), { fill: ink("canopy-2") });
    canvas.add(canvas.discs(crowns.map(([x, y, r]) => [x - r * 0.25, y + r * 0.28, r * 0.5])), { fill: ink("canopy-light"), opacity: 0.7 });
    canvas.ring(points, "canopy-dark", 0.09, { dash: "0.5 0.25" });
  }
}

function paintOrchard(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "wood", { stroke: ink("canopy-dark"), width: 0.08 });
    const trees = spans(points, [1, 0], 1.8).flatMap(([a, b]) => {
      const count = Math.floor(distance(a, b) / 1.8);
      return Array.from({ length: count }, (_, k): Disc => [...between(a, b, (k + 0.5) / count), 0.5]);
    });
    canvas.add(canvas.discs(trees.map(([x, y, r]) => [x + 0.12, y - 0.14, r])), { fill: ink("canopy-dark"), opacity: 0.35 });
    canvas.add(canvas.discs(trees), { fill: ink("canopy"), stroke: ink("canopy-dark"), width: 0.1 });
    canvas.add(canvas.discs(trees.map(([x, y]) => [x - 0.13, y + 0.14, 0.22])), { fill: ink("canopy-light"), opacity: 0.75 });
  }
}

/** Furrows run along the longest side. */
function paintField(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "field");
    const { a, b } = longest(edges(points));
    const length = distance(a, b);
    const rows = spans(points, [(b[0] - a[0]) / length, (b[1] - a[1]) / length], 0.62);
    canvas.add(canvas.lines(rows), { stroke: ink("furrow"), width: 0.11, opacity: 0.5 });
    canvas.ring(points, "furrow", 0.12);
  }
}

function paintRough(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "rough");
    const stones = scatter(points, 0.7).map(([x, y]): Disc => [x, y, 0.07 + 0.13 * noise(x, y, 6) ** 2]);
    canvas.add(canvas.discs(stones), { fill: ink("stone") });
    canvas.ring(points, "stone", 0.1, { dash: "0.12 0.3" });
  }
}

/** Pools as short level strokes, and tufts of reed. */
function paintMarsh(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "marsh", { stroke: ink("bank"), width: 0.09, dash: "0.6 0.3" });
    const spots = scatter(points, 1.35);
    const pools = spots.map(([x, y]): Point[] => [[x - 0.5, y - 0.1], [x + 0.5, y - 0.1]]);
    const tufts = spots.flatMap(([x, y]) =>
      [-0.22, 0, 0.22].map((lean): Point[] => [[x + lean * 0.4, y], [x + lean * 1.6, y + 0.5 - Math.abs(lean) * 0.8]]),
    );
    canvas.add(canvas.lines(pools), { stroke: ink("water"), width: 0.1, round: true });
    canvas.add(canvas.lines(tufts), { stroke: ink("reed"), width: 0.1, round: true });
  }
}

/** A hipped roof lit from the north-west, courses of tiles, its ridge, a chimney, and a door in the longest wall. */
function paintBuilding(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    const walls = edges(points);
    const roofs = ridges(points);
    canvas.area(points.map(([x, y]): Point => [x + 0.28, y - 0.3]), "shade", { opacity: 0.2 });
    canvas.area(points, "roof");
    walls.forEach(({ a, b, inwards }, k) => {
      const [ra, rb] = roofs[k] ?? [a, b];
      const tone = inwards[0] - inwards[1] > 0 ? "roof-light" : "roof-dark";
      canvas.area([a, b, rb, ra], tone, { stroke: ink("roof-edge"), width: 0.06, round: true });
      const courses = [0.2, 0.4, 0.6, 0.8].map((share): Point[] => [between(a, ra, share), between(b, rb, share)]);
      canvas.add(canvas.lines(courses), { stroke: ink("roof-edge"), width: 0.04, opacity: 0.35 });
    });
    canvas.ring(points, "roof-edge", 0.16);
    const side = walls.reduce((best, each) => {
      const more = distance(each.a, each.b) - distance(best.a, best.b);
      return more > 1e-3 || (more > -1e-3 && each.a[1] + each.b[1] < best.a[1] + best.b[1]) ? each : best;
    });
    const half = Math.min(0.4, distance(side.a, side.b) / 5) / distance(side.a, side.b);
    const door = [0.5 - half, 0.5 + half].map((share) => plus(between(side.a, side.b, share), side.inwards, 0.1));
    canvas.add(canvas.line(door), { stroke: ink("door"), width: 0.32 });
    const chimney = between(...ridgeOf(roofs), 0.2);
    const stack: Point[] = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]];
    canvas.area(stack.map((corner) => plus(chimney, corner)), "door", { stroke: ink("roof-edge"), width: 0.06, opacity: 0.85 });
  }
}

function ridgeOf(roofs: [Point, Point][]): [Point, Point] {
  return roofs.reduce((best, each) => (distance(...each) > distance(...best) ? each : best));
}

/** For each wall the two points of the roof above its ends: a ridge over four walls, else a flat top. */
function ridges(points: Point[]): [Point, Point][] {
  const walls = edges(points);
  if (walls.length !== 4) {
    const shrunk = inset(points, Math.min(0.7, Math.sqrt(Math.abs(signedArea(points))) / 6));
    return shrunk.map((point, k) => [point, shrunk[(k + 1) % shrunk.length] as Point]);
  }
  const wall = (k: number) => walls[k % 4] as (typeof walls)[number];
  const first = distance(wall(0).a, wall(0).b) <= distance(wall(1).a, wall(1).b) ? 0 : 1;
  const [start, end] = [middle([wall(first).a, wall(first).b]), middle([wall(first + 2).a, wall(first + 2).b])];
  const [near, far] = [between(start, end, 0.22), between(start, end, 0.78)];
  const around: [Point, Point][] = [[near, near], [near, far], [far, far], [far, near]];
  return first ? [...around.slice(-1), ...around.slice(0, -1)] : around;
}

function paintRuin(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "rough");
    canvas.add(canvas.discs(scatter(points, 0.6).map(([x, y]) => [x, y, 0.1 + 0.15 * noise(x, y)])), { fill: ink("roof-dark") });
    canvas.ring(points, "roof-edge", 0.34, { dash: "1.4 0.5" });
  }
}

function paintBridge(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "plank", { stroke: ink("plank-edge"), width: 0.2 });
    const planks = spans(points, longest(edges(points)).inwards, 0.5);
    canvas.add(canvas.lines(planks), { stroke: ink("plank-edge"), width: 0.06 });
  }
}

/** Rolls of wire: crosses in rows along the longest side. */
function paintWire(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "rough", { opacity: 0.6 });
    const { a, b } = longest(edges(points));
    const length = distance(a, b);
    const rows = spans(points, [(b[0] - a[0]) / length, (b[1] - a[1]) / length], 0.7);
    canvas.add(canvas.lines(rows), { stroke: ink("rail"), width: 0.06 });
    const crosses = rows.flatMap(([from, to]) =>
      along([from, to], 0.6).flatMap(([x, y]): Point[][] => [
        [[x - 0.16, y - 0.22], [x + 0.16, y + 0.22]],
        [[x - 0.16, y + 0.22], [x + 0.16, y - 0.22]],
      ]),
    );
    canvas.add(canvas.lines(crosses), { stroke: ink("rail"), width: 0.06, round: true });
    canvas.ring(points, "rail", 0.07, { dash: "0.2 0.2" });
  }
}

/** Mines that everybody knows of: dots within a dashed line. */
function paintMines(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    canvas.area(points, "rough", { opacity: 0.5 });
    canvas.add(canvas.discs(scatter(points, 1).map(([x, y]) => [x, y, 0.17])), { fill: ink("red-dark"), stroke: ink("red-label"), width: 0.05 });
    canvas.ring(points, "red-label", 0.1, { dash: "0.6 0.3" });
  }
}

/** Burnt metal: a dark patch, a broken cross, sparks of rust. */
function paintWreck(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) {
    const centre = middle(points);
    canvas.area(points.map((p) => between(centre, p, 1.25)), "shade", { opacity: 0.16 });
    canvas.area(points, "track", { stroke: ink("wall-dark"), width: 0.1 });
    canvas.add(canvas.discs(scatter(points, 0.45).map(([x, y]) => [x, y, 0.06 + 0.1 * noise(x, y)])), { fill: ink("red"), opacity: 0.55 });
    const corners = points.map((p) => between(centre, p, 0.7));
    const cross = corners.map((p): Point[] => [centre, p]);
    canvas.add(canvas.lines(cross), { stroke: ink("stone"), width: 0.1, round: true });
  }
}

function paintSmoke(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) smoke(canvas, points);
}

/** Soft puffs; the caller draws them as one translucent group. */
export function smoke(canvas: Canvas, points: Point[]): void {
  const light = scatter(points, 1.4).map(([x, y]): Disc => [x, y, 0.5 + 0.5 * noise(x, y, 7)]);
  canvas.area(points, "smoke", { opacity: 0.62 });
  canvas.add(canvas.discs(bumps(points, 0.35, 0.9, 0.62)), { fill: ink("smoke"), opacity: 0.45 });
  canvas.add(canvas.discs(light), { fill: ink("smoke-light"), opacity: 0.4 });
}

function paintOther(canvas: Canvas, features: Feature[]): void {
  for (const { points } of features) canvas.area(points, "other", { stroke: ink("muted"), width: 0.1, dash: "0.3 0.3" });
}

const AREAS: Partial<Record<Look, (canvas: Canvas, features: Feature[]) => void>> = {
  hill: paintHill,
  field: paintField,
  rough: paintRough,
  marsh: paintMarsh,
  wood: paintWood,
  orchard: paintOrchard,
  building: paintBuilding,
  ruin: paintRuin,
  bridge: paintBridge,
  wire: paintWire,
  mines: paintMines,
  wreck: paintWreck,
  smoke: paintSmoke,
  other: paintOther,
};

export type Looks = Scene["looks"];

/** How a kind is drawn: as its game says. */
export const lookOf = (kind: string, looks: Looks): Look => looks[kind] ?? "other";

const hasArea = (feature: Feature) => feature.closed !== false && Math.abs(signedArea(feature.points)) > 1e-9;

export function paintTerrain(features: Feature[], looks: Looks, depth: number): Paint[] {
  const canvas = new Canvas(depth);
  for (const look of LOOKS) {
    const these = features.filter((feature) => lookOf(feature.kind, looks) === look);
    const brush = AREAS[look];
    const areas = brush ? these.filter(hasArea) : [];
    const lines = these.filter((feature) => !areas.includes(feature) && feature.points.length > 1);
    if (brush && areas.length) brush(canvas, areas);
    if (lines.length) paintLines(look in LINES ? look : "other", canvas, lines);
  }
  return canvas.paints;
}

/** Linen: a few threads on the plain ground. */
export function weave(width: number, depth: number): string {
  const threads = Array.from({ length: Math.floor(depth * 2) }, (_, row) => {
    const start = noise(row, width) * width;
    return `M${short(start)} ${short((row + 0.5) / 2)}h${short(Math.min(width - start, 4 + 8 * noise(row, depth, 1)))}`;
  });
  return threads.join("");
}
