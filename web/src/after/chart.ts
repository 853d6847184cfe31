/** The curve of a figure over a battle, as a path: it steps where the figure changed. */

import type { Curve } from "../lib/types";

export interface Frame {
  wide: number;
  high: number;
  /** Answers of the whole battle. */
  answers: number;
  /** The highest value that is shown. */
  top: number;
}

export const across = (number: number, { wide, answers }: Frame): number => (answers ? (number / answers) * wide : 0);
export const up = (value: number, { high, top }: Frame): number => high - (top ? (value / top) * high : 0);

/** Marks in their order, moved as little to the right as need be to lie so far apart, and back from the end. */
export function apart(marks: number[], least: number, end: number): number[] {
  const moved: number[] = [];
  for (const mark of marks) moved.push(Math.max(mark, (moved.at(-1) ?? -Infinity) + least));
  for (let k = moved.length - 1, most = end; k >= 0; k--, most -= least) moved[k] = Math.min(moved[k]!, most);
  return moved;
}

/** Flat to the next change, then straight up or down. */
export function stepped(curve: Curve, frame: Frame): string {
  const [first, ...rest] = curve.marks;
  if (!first) return "";
  let path = `M${at(across(first.number, frame), up(first.value, frame))}`;
  let last = first.value;
  for (const mark of rest) {
    const x = across(mark.number, frame);
    path += `L${at(x, up(last, frame))}L${at(x, up(mark.value, frame))}`;
    last = mark.value;
  }
  return path;
}

const at = (x: number, y: number): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;

/** The highest value of some curves, and of what they are counted against if that is near. */
export function topOf(curves: Curve[]): number {
  const most = Math.max(1, ...curves.flatMap((curve) => curve.marks.map((mark) => mark.value)));
  const limit = Math.max(0, ...curves.map((curve) => curve.limit ?? 0));
  return limit <= 3 * most ? Math.max(most, limit) : most;
}
