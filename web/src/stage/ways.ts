/**
 * Pieces go as far as they have come. An order to move tells the whole way, but somebody may fire, or be asked whether he
 * does, while they are on it: the rest of the way is gone when the table shows them farther on.
 */

import type { Json, Point, Scene, ScenePiece } from "../lib/types";
import { TIMES, type Beat } from "./beats";

/** Whoever stands farther than this from his way, in inches, was brought there by something else. */
const ASIDE = 0.75;
/** Less than this is no way, in inches. */
const STEP = 0.1;

/** What is left of the ways of pieces that have set out, by id, and the beat that told it. */
export type Rest = Map<string, { way: Point[]; beat: Beat }>;

const far = (one: Point, other: Point): number => Math.hypot(one[0] - other[0], one[1] - other[1]);
const lengthOf = (way: Point[]): number => way.slice(1).reduce((sum, point, k) => sum + far(point, way[k]!), 0);
const at = (piece: ScenePiece): Point => [piece.place.x, piece.place.y];

/** A way in two, at the point of it that is nearest to a place; null if the place lies aside. */
export function parted(way: Point[], place: Point): [gone: Point[], rest: Point[]] | null {
  let best = { leg: 0, point: way[0]!, off: Infinity };
  way.slice(1).forEach((to, leg) => {
    const from = way[leg]!;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const long = dx * dx + dy * dy;
    const part = long ? Math.max(0, Math.min(1, ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / long)) : 0;
    const point: Point = [from[0] + part * dx, from[1] + part * dy];
    const off = far(point, place);
    if (off < best.off - 1e-9) best = { leg, point, off };
  });
  if (best.off > ASIDE) return null;
  return [[...way.slice(0, best.leg + 1), best.point], [best.point, ...way.slice(best.leg + 1)]];
}

/** The beats of an act with each piece going as far as it stands afterwards; what is left of its way is kept in `rest`. */
export function inStages(beats: Beat[], before: Scene, after: Scene, rest: Rest): Beat[] {
  const [were, are] = [before, after].map(({ pieces }) => new Map(pieces.map((piece) => [piece.id, piece])));
  const told = new Set(beats.flatMap((beat) => Object.keys(beat.ways)));
  const onward = goOn(told, were!, are!, rest);
  const staged = [...beats];
  // Of several moves of a piece in one act, only the last may have been broken off.
  const seen = new Set<string>();
  for (let k = staged.length - 1; k >= 0; k--) {
    const beat = staged[k]!;
    if (beat.kind !== "move") continue;
    const ways = { ...beat.ways };
    for (const [id, way] of Object.entries(beat.ways)) {
      const piece = are!.get(id);
      const parts = piece && !seen.has(id) ? parted(way, at(piece)) : null;
      seen.add(id);
      rest.delete(id);
      if (!parts || lengthOf(parts[1]) < STEP) continue;
      rest.set(id, { way: parts[1], beat });
      if (lengthOf(parts[0]) < STEP) delete ways[id];
      else ways[id] = parts[0];
    }
    staged[k] = { ...beat, ways };
  }
  for (const id of [...rest.keys()]) if (!are!.has(id)) rest.delete(id);
  for (const beat of onward) staged.splice(place(staged, beat), 0, beat);
  return staged;
}

/** A beat for each order of which some go on along the rest of their ways. */
function goOn(told: Set<string>, were: Map<string, ScenePiece>, are: Map<string, ScenePiece>, rest: Rest): Beat[] {
  const found = new Map<Beat, Record<string, Point[]>>();
  for (const [id, { way, beat }] of [...rest]) {
    const [was, is] = [were.get(id), are.get(id)];
    if (told.has(id) || !was || !is || far(at(was), at(is)) < STEP) continue;
    rest.delete(id);
    const parts = far(at(was), way[0]!) <= ASIDE ? parted(way, at(is)) : null;
    if (!parts) continue;
    if (lengthOf(parts[1]) >= STEP) rest.set(id, { way: parts[1], beat });
    if (lengthOf(parts[0]) >= STEP) found.set(beat, { ...found.get(beat), [id]: parts[0] });
  }
  return [...found].map(([beat, ways]) => ({ ...beat, ways, gains: [], marks: {}, time: TIMES.move }));
}

/** Where the rest of a move belongs: first of all, or after the fire that met those who were on their way. */
function place(beats: Beat[], onward: Beat): number {
  const ids = new Set<Json | undefined>([...Object.keys(onward.ways), ...onward.actors, onward.event.data?.unit]);
  const meets = (named: string[]) => named.some((id) => ids.has(id));
  const moves = beats.findIndex(({ kind }) => kind === "move");
  const end = moves < 0 ? beats.length : moves;
  let last = -1;
  for (let k = 0; k < end; k++) if (meets(beats[k]!.targets)) last = k;
  if (last < 0) return 0;
  let k = last + 1;
  while (k < end && (beats[k]!.kind === "result" || (beats[k]!.kind === "dice" && meets(beats[k]!.actors)))) k++;
  return k;
}
