/** Where words stand on the table: each finds the free spot nearest to what it names. All sizes in screen pixels. */

import type { Badge, Feature, Point, Scene, ScenePiece } from "../lib/types";
import { distance, middle, outline } from "./geometry";
import { sideInk } from "./symbols";
import { lookOf } from "./terrain";

type Box = [left: number, top: number, right: number, bottom: number];

/** Words at a place, in inches with y up; the size is what the screen shows. */
export interface Label {
  key: string;
  at: Point;
  text: string;
  size: number;
  colour: string;
  place: boolean;
  unit: string;
  badges: Badge[];
}

/** The leader's tag and the badges of a base in one strip; `at` is its middle. */
export interface Strip {
  key: string;
  at: Point;
  side: string;
  wide: number;
  signs: Sign[];
}

export interface Sign {
  text: string;
  words: string;
  leader: boolean;
  x: number;
  wide: number;
}

/** Bases smaller than this many pixels an inch carry no badges of their own; their unit's name does. */
export const FAR = 8.5;
/** From here on a name of a place is worth its room. */
const NAMES = 5;

export function extent(text: string, size: number): number {
  let sum = 0;
  for (const c of text) sum += " .,:;'’!|ilIjtf".includes(c) ? 0.32 : "MWmw@—".includes(c) ? 0.86 : c >= "\u2e80" ? 1.1 : 0.56;
  return sum * size;
}

const keyOf = (piece: ScenePiece) => (piece.unit ? `unit ${piece.unit}` : `piece ${piece.id}`);

/** A text in a few short lines. */
export function broken(text: string, most: number, rows: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line && line.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.length > rows ? [...lines.slice(0, rows - 1), `${lines[rows - 1]}…`] : lines;
}

/** What has a name is called by it; what has no look of its own by its kind. */
function nameOf(feature: Feature, hills: string[]): string {
  return feature.name || (lookOf(feature.kind, hills) === "other" ? feature.kind.replaceAll(/[-_]/g, " ") : "");
}

class Desk {
  readonly taken: Box[] = [];

  constructor(
    readonly width: number,
    readonly depth: number,
  ) {}

  overlap([l, t, r, b]: Box): number {
    let covered = 0;
    for (const [left, top, right, bottom] of this.taken)
      covered += Math.max(0, Math.min(right, r) - Math.max(left, l)) * Math.max(0, Math.min(bottom, b) - Math.max(top, t));
    return covered;
  }

  /** The centre for a box: of the spots, each pushed onto the table, the freest and nearest. */
  place(spots: Point[], wide: number, high: number, near: Point): { at: Point; covered: number } {
    let best = { at: near, covered: 0, cost: Infinity };
    spots.forEach(([sx, sy], rank) => {
      const x = Math.max(wide / 2, Math.min(this.width - wide / 2, sx));
      const y = Math.max(high / 2, Math.min(this.depth - high / 2, sy));
      const covered = this.overlap([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2]);
      const cost = covered * 1.5 + rank * 0.1 + distance([x, y], near) * 0.8;
      if (cost < best.cost - 1e-6) best = { at: [x, y], covered, cost };
    });
    const [x, y] = best.at;
    this.taken.push([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2]);
    return best;
  }
}

/** Badges that every base of a unit carries: said once, beside its name. */
function common(pieces: ScenePiece[]): Badge[] {
  const [first, ...others] = pieces;
  if (!first || !others.length) return [];
  return first.badges.filter((badge) =>
    others.every((piece) => piece.badges.some((each) => each.icon === badge.icon && each.count === badge.count)),
  );
}

/** All badges of a unit's bases, alike ones counted together. */
export function gathered(pieces: ScenePiece[]): Badge[] {
  const found = new Map<string, Badge>();
  for (const badge of pieces.flatMap((piece) => piece.badges)) {
    const have = found.get(badge.icon);
    found.set(badge.icon, { ...badge, count: badge.count + (have?.count ?? 0) });
  }
  return [...found.values()];
}

/** The height of a sign's letters: a little smaller where the bases are. */
export const signSize = (scale: number) => (scale < 14 ? 8 : scale < 22 ? 9 : 10);
export const signHigh = (size: number) => size * 1.45;

function stripOf(piece: ScenePiece, size: number, shared: Set<string>): { wide: number; signs: Sign[] } {
  const signs: Sign[] = [];
  let x = 0;
  const add = (text: string, words: string, leader: boolean) => {
    const wide = Math.max(signHigh(size), extent(text, size) + size * 0.7);
    signs.push({ text, words, leader, x, wide });
    x += wide;
  };
  if (piece.leader) add(piece.leader, piece.title || piece.label, true);
  for (const { icon, words, count } of piece.badges) if (!shared.has(icon)) add(count > 1 ? `${icon}${count}` : icon, words, false);
  return { wide: x, signs };
}

export function layLabels(scene: Scene, scale: number): { labels: Label[]; strips: Strip[] } {
  const desk = new Desk(scene.width * scale, scene.depth * scale);
  const pixel = ([x, y]: Point): Point => [x * scale, (scene.depth - y) * scale];
  const inches = ([x, y]: Point): Point => [x / scale, scene.depth - y / scale];
  const boxOf = (piece: ScenePiece): Box => {
    const corners = outline(piece.footprint, [piece.place.x, piece.place.y], piece.place.facing).map(pixel);
    const [xs, ys] = [corners.map((p) => p[0]), corners.map((p) => p[1])];
    return [Math.min(...xs) - 2, Math.min(...ys) - 2, Math.max(...xs) + 2, Math.max(...ys) + 2];
  };
  const boxes = new Map(scene.pieces.map((piece) => [piece.id, boxOf(piece)]));
  desk.taken.push(...boxes.values());
  const far = scale < FAR;
  for (const spot of scene.spots) {
    const [x, y] = pixel([spot.x, spot.y]);
    desk.taken.push([x - 6, y - 26, x + 24, y + 6]);
  }
  const units = new Map<string, ScenePiece[]>();
  for (const piece of scene.pieces) {
    const key = keyOf(piece);
    units.set(key, [...(units.get(key) ?? []), piece]);
  }
  const shared = new Map<string, Badge[]>([...units].map(([key, members]) => [key, common(members)]));
  const size = signSize(scale);
  const high = signHigh(size);
  const strips: Strip[] = [];
  for (const piece of far ? [] : scene.pieces) {
    const { wide, signs } = stripOf(piece, size, new Set(shared.get(keyOf(piece))?.map((badge) => badge.icon)));
    if (!signs.length) continue;
    const [left, top, right, bottom] = boxes.get(piece.id) as Box;
    const [out, up] = [wide / 2 - high * 0.55, high * 0.05];
    const corners: Point[] = [[right + out, top - up], [left - out, top - up], [right + out, bottom + up], [left - out, bottom + up]];
    const { at } = desk.place(corners, wide, high, [(left + right) / 2, (top + bottom) / 2]);
    strips.push({ key: piece.id, at: inches(at), side: sideInk(piece.side), wide, signs });
  }
  const found: Label[] = [];

  for (const [key, members] of units) {
    const text = members.find((piece) => piece.label)?.label ?? "";
    if (!text) continue;
    const size = far ? 10.5 : scale < 14 ? 11.5 : scale < 24 ? 13 : 14.5;
    const badges = far ? gathered(members) : (shared.get(key) ?? []);
    const wide = extent(text, size) + badges.length * 14 + 4;
    const high = size * 1.25;
    const centre = middle(members.map(({ place }) => pixel([place.x, place.y])));
    const spots = members.flatMap((piece): Point[] => {
      const [left, top, right, bottom] = boxes.get(piece.id) as Box;
      const x = (left + right) / 2;
      const y = (top + bottom) / 2;
      return [[x, bottom + high / 2], [x, top - high / 2], [right + wide / 2, y], [left - wide / 2, y], [x + wide / 3, bottom + high / 2], [x - wide / 3, bottom + high / 2]];
    });
    const { at } = desk.place(spots, wide, high, centre);
    found.push({ key, at: inches(at), text, size, colour: `${sideInk(members[0]?.side ?? "")}-label`, place: false, unit: members[0]?.unit ?? "", badges });
  }

  const name = (key: string, text: string, points: Point[], colour: string, size: number) => {
    if (!text || !points.length) return;
    const corners = points.map(pixel);
    const [x, y] = middle(corners);
    const [xs, ys] = [corners.map((p) => p[0]), corners.map((p) => p[1])];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const spots: Point[] = [0, 0.2, -0.2, 0.35, -0.35].flatMap((down) =>
      [0, 0.15, -0.15, 0.3, -0.3].map((across): Point => [x + (right - left) * across, y + (bottom - top) * down]),
    );
    spots.push([x, bottom + size * 0.7], [x, top - size * 0.7]);
    const wide = extent(text, size);
    const { at, covered } = desk.place(spots, wide, size * 1.2, [x, y]);
    // A name that would cover pieces is left out; the card under the pointer still says it.
    if (covered > wide * size * 0.35) desk.taken.pop();
    else found.push({ key, at: inches(at), text, size, colour, place: true, unit: "", badges: [] });
  };
  scene.spots.forEach((spot, k) => {
    const [x, y] = [spot.x, spot.y];
    const edge = 14 / scale;
    name(`spot ${k}`, spot.label, [[x - edge, y - edge], [x + edge, y - edge], [x + edge, y + 2 * edge], [x - edge, y + 2 * edge]], `${sideInk(spot.holder)}-label`, far ? 10.5 : 12.5);
  });
  if (scale >= NAMES) {
    scene.areas.forEach((area, k) => name(`area ${k}`, area.label, area.points, "text", far ? 10 : 11.5));
    for (const feature of scene.features) name(`feature ${feature.id}`, nameOf(feature, scene.hills), feature.points, "text", far ? 10 : 11.5);
  }
  return { labels: found, strips };
}
