/** Where words stand on the table: each finds the free spot nearest to what it names. All sizes in screen pixels. */

import type { Badge, Feature, Point, Scene, ScenePiece, UnitCard } from "../lib/types";
import { middle, outline } from "./geometry";
import { about, apart, grown, round, shared, type Box } from "./room";
import { sideInk } from "./symbols";
import { lookOf, type Looks } from "./terrain";

/** A Unit's label; `at` is its middle, in inches with y up, and `tie` the end of its line at the Unit. */
export interface Label {
  key: string;
  at: Point;
  text: string;
  strength: string;
  side: string;
  unit: string;
  badges: Badge[];
  wide: number;
  high: number;
  size: number;
  /** Where its text ends, from its left edge. */
  ends: number;
  tie: { from: Point; to: Point } | null;
}

/** The name of a place. */
export interface PlaceName {
  key: string;
  at: Point;
  text: string;
  size: number;
  colour: string;
}

/** The leader's tag and the signs of a base in one strip; `at` is its middle. */
export interface Strip {
  key: string;
  at: Point;
  side: string;
  leader: string;
  title: string;
  wide: number;
  badges: Badge[];
}

export interface Laid {
  labels: Label[];
  strips: Strip[];
  places: PlaceName[];
}

/** Bases smaller than this many pixels an inch carry no signs of their own; their unit's label does. */
export const FAR = 8.5;
export const SIGN = 20;
/** From here on a label says how its unit stands, too. */
const ROOMY = 11;
const LEADER = 22;
/** From here on a name of a place is worth its room. */
const NAMES = 5;
/** A label this near to its Unit needs no line to it. */
const NEAR = 9;

let ruler: CanvasRenderingContext2D | null | undefined;

/** How wide a text is: measured, or guessed where nothing can be drawn. */
export function extent(text: string, size: number): number {
  ruler ??= typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
  if (ruler) {
    const font = `700 ${size}px ${getComputedStyle(document.documentElement).getPropertyValue("--sans")}`;
    if (ruler.font !== font) ruler.font = font;
    return ruler.measureText(text).width;
  }
  let sum = 0;
  for (const c of text) sum += " .,:;'’!|ilIjtf".includes(c) ? 0.32 : "MWmw@—".includes(c) ? 0.86 : c >= "\u2e80" ? 1.1 : 0.56;
  return sum * size;
}

const keyOf = (piece: ScenePiece) => (piece.unit ? `unit ${piece.unit}` : `piece ${piece.id}`);
export const signOf = (badge: Badge) => badge.sign || badge.icon;

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
function nameOf(feature: Feature, looks: Looks): string {
  return feature.name || (lookOf(feature.kind, looks) === "other" ? feature.kind.replaceAll(/[-_]/g, " ") : "");
}

/** Signs that every base of a unit wears: said once, on its label. */
function common(pieces: ScenePiece[]): Badge[] {
  const [first, ...others] = pieces;
  if (!first) return [];
  return first.badges.filter((badge) =>
    others.every((piece) => piece.badges.some((each) => signOf(each) === signOf(badge) && each.count === badge.count)),
  );
}

/** All signs of a unit's bases, alike ones counted together. */
export function gathered(pieces: ScenePiece[]): Badge[] {
  const found = new Map<string, Badge>();
  for (const badge of pieces.flatMap((piece) => piece.badges)) {
    const have = found.get(signOf(badge));
    if (!have || have.count < badge.count) found.set(signOf(badge), badge);
  }
  return [...found.values()];
}

function strengthOf(card: UnitCard | undefined): string {
  if (!card) return "";
  const [now, began] = card.strength;
  return began > 1 ? `${now}/${began}` : now > 1 ? `${now}` : "";
}

class Sheet {
  readonly taken: Box[] = [];

  constructor(readonly bounds: Box) {}

  overlap(box: Box, except?: Box): number {
    let sum = 0;
    for (const other of this.taken) if (other !== except) sum += shared(box, other);
    return sum;
  }

  /** A box pushed onto the table. */
  within(x: number, y: number, wide: number, high: number): Box {
    const [left, top, right, bottom] = this.bounds;
    return about(
      Math.max(left + wide / 2, Math.min(right - wide / 2, x)),
      Math.max(top + high / 2, Math.min(bottom - high / 2, y)),
      wide,
      high,
    );
  }
}

/** The spots for a label about its Unit's bases: close by first, then farther and farther round. */
function* spotsAbout(members: Box[], wide: number, high: number): Iterable<Point> {
  for (const gap of [4, 12, 24, 40]) {
    for (const [left, top, right, bottom] of members) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      for (const shift of [0, 0.3, -0.3, 0.48, -0.48]) {
        yield [x + wide * shift, bottom + gap + high / 2];
        yield [x + wide * shift, top - gap - high / 2];
      }
      yield [right + gap + wide / 2, y];
      yield [left - gap - wide / 2, y];
    }
  }
  const [left, top, right, bottom] = round(members) as Box;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  for (let far = 50; far <= 400; far += 18) {
    for (let turn = 0; turn < 24; turn++) {
      const angle = (turn * Math.PI) / 12;
      yield [x + Math.sin(angle) * (far + (right - left) / 2), y - Math.cos(angle) * (far + (bottom - top) / 2)];
    }
  }
}

/** Where labels lay last, by their keys: from the middle of their Unit, in pixels. */
export type Before = Map<string, Point>;
/** As near as this to its Unit a label stays where it lay, as long as nothing lies there. */
const STAYS = 26;

/** A label lies where it lay before or, if that is taken or too far off, where it covers least and is near. */
function placeLabel(sheet: Sheet, members: Box[], wide: number, high: number, before: Point | undefined): Box {
  if (before) {
    const [x, y] = middleOf(round(members) as Box);
    const box = sheet.within(x + before[0], y + before[1], wide, high);
    const far = Math.min(...members.map((member) => apart(box, member)));
    if (far <= STAYS && sheet.overlap(grown(box, 3)) === 0) return box;
  }
  let best: Box | null = null;
  let least = Infinity;
  for (const [sx, sy] of spotsAbout(members, wide, high)) {
    const box = sheet.within(sx, sy, wide, high);
    const far = Math.min(...members.map((member) => apart(box, member)));
    if (far >= least) continue;
    const cost = far + sheet.overlap(grown(box, 1.5)) * 3;
    if (cost < least) [best, least] = [box, cost];
    if (cost <= 4.5) break;
  }
  return best ?? sheet.within(0, 0, wide, high);
}

const middleOf = ([left, top, right, bottom]: Box): Point => [(left + right) / 2, (top + bottom) / 2];

/**
 * `taken` are boxes on the table that words keep off: two corners each, in inches. The unit that is `looked` at has its
 * label laid first. `before` is where labels lay the last time, and is brought up to date.
 */
export function layLabels(
  scene: Scene,
  scale: number,
  units: Map<string, UnitCard>,
  taken: [Point, Point][] = [],
  looked: string | null = null,
  before: Before = new Map(),
): Laid {
  const sheet = new Sheet([0, 0, scene.width * scale, scene.depth * scale]);
  const pixel = ([x, y]: Point): Point => [x * scale, (scene.depth - y) * scale];
  const inches = ([x, y]: Point): Point => [x / scale, scene.depth - y / scale];
  const boxOf = (piece: ScenePiece): Box =>
    grown(round(outline(piece.footprint, [piece.place.x, piece.place.y], piece.place.facing).map((p) => [...pixel(p), ...pixel(p)])) as Box, 2);
  const pieces = scene.pieces.filter(({ place }) => place.x >= 0 && place.y >= 0 && place.x <= scene.width && place.y <= scene.depth);
  const boxes = new Map(pieces.map((piece) => [piece.id, boxOf(piece)]));
  sheet.taken.push(...boxes.values(), ...taken.map(([one, other]) => round([one, other].map((corner) => [...pixel(corner), ...pixel(corner)])) as Box));
  const far = scale < FAR;
  for (const spot of scene.spots) {
    const [x, y] = pixel([spot.x, spot.y]);
    sheet.taken.push([x - 6, y - 26, x + 24, y + 6]);
  }
  const groups = new Map<string, ScenePiece[]>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    groups.set(key, [...(groups.get(key) ?? []), piece]);
  }
  const bodies = new Map(scene.bodies.map((body) => [body.id, body]));
  const onLabel = new Map<string, Badge[]>(
    [...groups].map(([key, members]) => {
      const body = bodies.get(members[0]?.unit ?? "");
      // A unit that is drawn as one has its own signs; those of its pieces stay with them.
      return [key, body ? [...(body.badges ?? [])] : far ? gathered(members) : common(members)];
    }),
  );

  const strips: Strip[] = [];
  for (const piece of far ? [] : pieces) {
    const said = new Set(onLabel.get(keyOf(piece))?.map(signOf));
    const badges = piece.badges.filter((badge) => !said.has(signOf(badge)));
    const wide = badges.length * SIGN + (piece.leader ? LEADER : 0);
    if (!wide) continue;
    const own = boxes.get(piece.id) as Box;
    const [left, top, right, bottom] = own;
    const [x, y] = middleOf(own);
    const [out, up] = [wide / 2 - 4, SIGN / 2 - 5];
    const corners: Point[] = [
      [right + out, top - up], [left - out, top - up], [right + out, bottom + up], [left - out, bottom + up],
      [x, top - SIGN / 2], [x, bottom + SIGN / 2], [right + wide / 2, y], [left - wide / 2, y],
    ];
    const found = corners
      .map(([cx, cy], rank) => {
        const box = sheet.within(cx, cy, wide, SIGN);
        return { box, cost: sheet.overlap(box, own) + rank * 2 };
      })
      .reduce((best, each) => (each.cost < best.cost ? each : best));
    sheet.taken.push(found.box);
    strips.push({ key: piece.id, at: inches(middleOf(found.box)), side: sideInk(piece.side), leader: piece.leader, title: piece.title || piece.label, wide, badges });
  }

  const labels: Label[] = [];
  const [size, high] = far ? [11, 20] : scale > 22 ? [13, 26] : [12, 24];
  const rank = ([, members]: [string, ScenePiece[]]) => (looked !== null && members[0]?.unit === looked ? 0 : 1);
  for (const [key, members] of [...groups].sort((one, other) => rank(one) - rank(other))) {
    const text = members.find((piece) => piece.label)?.label ?? "";
    if (!text) continue;
    const unit = members[0]?.unit ?? "";
    const badges = onLabel.get(key) ?? [];
    const body = bodies.get(unit);
    // How a body stands is worth its room where there is some.
    const strength = far || (body && scale < ROOMY) ? "" : (body?.note ?? strengthOf(units.get(unit)));
    const ends = 22 + extent(text, size) + (strength ? 5 + extent(strength, size) : 0);
    const wide = ends + badges.length * (SIGN + 1) + (badges.length ? 9 : 7);
    const own = members.map((piece) => boxes.get(piece.id) as Box);
    const box = placeLabel(sheet, own, wide, high, before.get(key));
    sheet.taken.push(box);
    const [from, to] = [middleOf(round(own) as Box), middleOf(box)];
    before.set(key, [to[0] - from[0], to[1] - from[1]]);
    const nearest = own.reduce((best, each) => (apart(each, box) < apart(best, box) ? each : best));
    const end: Point = middleOf(nearest);
    const start: Point = [Math.max(box[0] + 4, Math.min(box[2] - 4, end[0])), Math.max(box[1], Math.min(box[3], end[1]))];
    const tie = apart(nearest, box) > NEAR ? { from: inches(start), to: inches(end) } : null;
    labels.push({ key, at: inches(middleOf(box)), text, strength, side: sideInk(members[0]?.side ?? ""), unit, badges, wide, high, size, ends, tie });
  }

  const places: PlaceName[] = [];
  const name = (key: string, text: string, points: Point[], colour: string, height: number) => {
    if (!text || !points.length) return;
    const corners = points.map(pixel);
    const [x, y] = middle(corners);
    const [left, top, right, bottom] = round(corners.map((p) => [...p, ...p])) as Box;
    const spots: Point[] = [0, 0.2, -0.2, 0.35, -0.35].flatMap((down) =>
      [0, 0.15, -0.15, 0.3, -0.3].map((across): Point => [x + (right - left) * across, y + (bottom - top) * down]),
    );
    spots.push([x, bottom + height * 0.7], [x, top - height * 0.7]);
    const free = spots.map(([sx, sy]) => sheet.within(sx, sy, extent(text, height), height * 1.2)).find((box) => sheet.overlap(box) === 0);
    // A name that would cover pieces or labels is left out; the card under the pointer still says it.
    if (!free) return;
    sheet.taken.push(free);
    places.push({ key, at: inches(middleOf(free)), text, size: height, colour });
  };
  scene.spots.forEach((spot, k) => {
    const edge = 14 / scale;
    const [x, y] = [spot.x, spot.y];
    name(`spot ${k}`, spot.label, [[x - edge, y - edge], [x + edge, y - edge], [x + edge, y + 2 * edge], [x - edge, y + 2 * edge]], `${sideInk(spot.holder)}-label`, far ? 10.5 : 12.5);
  });
  if (scale >= NAMES) {
    scene.areas.forEach((area, k) => name(`area ${k}`, area.label, area.points, "text", far ? 10 : 11.5));
    for (const feature of scene.features) name(`feature ${feature.id}`, nameOf(feature, scene.looks), feature.points, "text", far ? 10 : 11.5);
  }
  return { labels, strips, places };
}
