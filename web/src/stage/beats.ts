/**
 * What happened, in beats that an eye can follow: who acts, the line to the target, the dice, what became of whom.
 *
 * Everything is read from events' fields: who (`teams`, `team`, `unit`), to whom (`target`, `victim`), where (`ways`,
 * `at`), the dice and what they needed, what `falls` on the table, and what is gained (`gain`). Texts are only shown.
 */

import { parts } from "../lib/tokens";
import type { Event, Json, Point } from "../lib/types";

export type BeatKind = "who" | "line" | "dice" | "result" | "move" | "falls" | "told";

/** What comes down on the table: where, and how large it is, round or square. */
export interface Fall {
  what: "shells" | "smoke";
  spots: Point[];
  radius: number;
  size: number;
  facing: number;
}

/** Points that a side gains, as its status calls them. */
export interface Gain {
  side: string;
  what: string;
  number: number;
  event: Event;
}

export interface Beat {
  kind: BeatKind;
  /** How long it lasts at the usual pace, in milliseconds. */
  time: number;
  /** The event whose dice and modifiers are shown. */
  event: Event;
  /** What is said: the texts of the events that belong to it. */
  texts: string[];
  /** Pieces or units, by id. */
  actors: string[];
  targets: string[];
  /** The ways of pieces that move. */
  ways: Record<string, Point[]>;
  /** What befell whom: how often, by id. */
  marks: Record<string, number>;
  at: Point | null;
  fall: Fall | null;
  gains: Gain[];
}

/** Beats before the dice have fallen tell nothing of how they fell. */
export const TELLS: Record<BeatKind, boolean> = { who: false, line: false, dice: true, result: true, move: true, falls: true, told: true };

export const TIMES: Record<BeatKind, number> = { who: 700, line: 600, dice: 900, result: 1200, move: 1100, falls: 1300, told: 500 };

/** A line more is so much longer to read. */
const LINE_MORE = 350;
const MOST_LINES = 4;
/** What is only told is seen nowhere else: each letter beyond a short line takes so much longer, up to a limit. */
const LETTER_MORE = 16;
const SHORT = 28;
const LONGEST = 2_400;

const spoken = (text: string): string => parts(text).map((part) => (typeof part === "string" ? part : part.name)).join("");
const toRead = (texts: string[]): number => Math.min(LONGEST, TIMES.told + LETTER_MORE * Math.max(0, spoken(texts.join(" ")).length - SHORT));

export const WHO = ["teams", "attackers", "guns", "team", "unit"];
const WHOM = ["target", "targets", "victim", "defenders"];

const isPoint = (value: Json | undefined): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");

/** The modifiers of a throw, like ones once: what differs among them stands in brackets, and goes without. */
export function reasons(event: Event): string[] {
  const alike = new Map<string, string[]>();
  for (const { amount, words } of event.modifiers ?? []) {
    const signed = `${amount > 0 ? "+" : "−"}${Math.abs(amount)} ${words}`;
    const plain = signed.replace(/ \([^()]*\)$/, "");
    alike.set(plain, [...(alike.get(plain) ?? []), signed]);
  }
  return [...alike].map(([plain, all]) => (new Set(all).size === 1 ? all[0]! : plain));
}

/** The ids that one of some fields holds: the first field that holds any. */
export function idsIn(event: Event, fields: string[]): string[] {
  for (const field of fields) {
    const value = event.data?.[field];
    if (typeof value === "string" && value) return [value];
    if (Array.isArray(value) && value.length && value.every((each) => typeof each === "string")) return value;
  }
  return [];
}

/** The ways of an event: for each piece the points that it passed. */
export function waysOf(event: Event): Record<string, Point[]> {
  const ways = event.data?.ways;
  if (!ways || typeof ways !== "object" || Array.isArray(ways)) return {};
  const found: Record<string, Point[]> = {};
  for (const [id, way] of Object.entries(ways)) {
    if (Array.isArray(way) && way.length > 1 && way.every((each) => isPoint(each))) found[id] = way as Point[];
  }
  return found;
}

/** What an event brings down on the table. */
export function fallOf(event: Event): Fall | null {
  const { falls, at, radius, size, facing } = event.data ?? {};
  if (falls !== "shells" && falls !== "smoke") return null;
  const spots = isPoint(at) ? [at] : Array.isArray(at) ? at.filter(isPoint) : [];
  const number = (value: Json | undefined) => (typeof value === "number" ? value : 0);
  return spots.length ? { what: falls, spots, radius: number(radius), size: number(size), facing: number(facing) } : null;
}

/** What a side gains by an event. */
export function gainsOf(event: Event): Gain[] {
  const gain = event.data?.gain;
  if (!gain || typeof gain !== "object" || Array.isArray(gain)) return [];
  const { side, what, number } = gain;
  return typeof side === "string" && typeof what === "string" && typeof number === "number" && number > 0 ? [{ side, what, number, event }] : [];
}

/** What befell whom in an event, by id. */
export function marksOf(event: Event): Record<string, number> {
  const hits = event.data?.hits ?? event.data?.rfps;
  if (hits && typeof hits === "object" && !Array.isArray(hits)) {
    return Object.fromEntries(Object.entries(hits).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0));
  }
  return {};
}

export function beatsOf(events: Event[]): Beat[] {
  const beats: Beat[] = [];
  for (const event of events) {
    const last = beats.at(-1);
    const [ways, targets, actors] = [waysOf(event), idsIn(event, WHOM), idsIn(event, WHO)];
    const thrown = (event.dice ?? []).some((each) => each.values.length);
    const at = isPoint(event.data?.at) ? event.data.at : null;
    const fall = fallOf(event);
    const plain = { event, actors, targets, ways, marks: marksOf(event), at, texts: [event.text], fall, gains: gainsOf(event) };
    if (Object.keys(ways).length) {
      beats.push({ ...plain, kind: "move", time: TIMES.move });
    } else if (fall && last && sameGround(last.fall, fall)) {
      // Where it has just been seen to fall, what it does is told.
      if (last.kind === "falls") beats.push({ ...plain, kind: "result", time: TIMES.result });
      else join(last, plain);
    } else if (fall) {
      if (thrown) beats.push({ ...plain, kind: "dice", time: TIMES.dice, gains: [] });
      beats.push({ ...plain, kind: "falls", time: TIMES.falls });
    } else if (thrown && targets.length) {
      // What is gained is told with the dice, and not before.
      beats.push({ ...plain, kind: "who", time: TIMES.who, gains: [] }, { ...plain, kind: "line", time: TIMES.line, gains: [] }, { ...plain, kind: "dice", time: TIMES.dice });
    } else if (thrown) {
      beats.push({ ...plain, kind: "dice", time: TIMES.dice });
    } else if (last && (last.kind === "result" || last.kind === "dice") && last.texts.length < MOST_LINES) {
      // What follows from dice is read together.
      if (last.kind === "dice") beats.push({ ...plain, kind: "result", time: TIMES.result });
      else join(last, plain);
    } else if (last?.kind === "told" && last.texts.length < MOST_LINES) {
      join(last, plain);
    } else {
      beats.push({ ...plain, kind: "told", time: TIMES.told });
    }
  }
  for (const beat of beats) if (beat.kind === "told") beat.time = toRead(beat.texts);
  return beats;
}

const sameGround = (one: Fall | null, other: Fall): boolean => one !== null && JSON.stringify(one) === JSON.stringify(other);

function join(beat: Beat, more: Pick<Beat, "texts" | "marks" | "actors" | "at" | "gains">): void {
  beat.texts.push(...more.texts);
  beat.time += LINE_MORE;
  beat.actors = [...new Set([...beat.actors, ...more.actors])];
  beat.at ??= more.at;
  beat.gains = [...beat.gains, ...more.gains];
  for (const [id, count] of Object.entries(more.marks)) beat.marks[id] = (beat.marks[id] ?? 0) + count;
}

/** Where a piece is after a part of its way, from 0 to 1. */
export function along(way: Point[], part: number): Point {
  const legs = way.slice(1).map((point, k) => Math.hypot(point[0] - way[k]![0], point[1] - way[k]![1]));
  const whole = legs.reduce((sum, leg) => sum + leg, 0);
  let left = whole * Math.max(0, Math.min(1, part));
  for (const [k, leg] of legs.entries()) {
    if (left <= leg) {
      const [from, to] = [way[k]!, way[k + 1]!];
      const share = leg ? left / leg : 1;
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    }
    left -= leg;
  }
  return way.at(-1)!;
}
