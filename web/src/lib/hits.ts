/** Which dice of an event did what they should: told by its fields `needed` and `shots`, never by its words. */

import type { Event, Throw } from "./types";

/** What the dice of one of an event's throws needed: each shot of a volley may need something else. */
export function neededOf(event: Event, thrown: Throw): number | undefined {
  const { needed, shots } = event.data ?? {};
  const shot = Array.isArray(shots) ? shots[event.dice?.indexOf(thrown) ?? -1] : undefined;
  if (shot && typeof shot === "object" && !Array.isArray(shot) && typeof shot.needed === "number") return shot.needed;
  return typeof needed === "number" && thrown === event.dice?.at(-1) ? needed : undefined;
}

/** Whether a die of an event did what it should; undefined where that cannot be told. */
export function hitOf(event: Event, thrown: Throw, value: number): boolean | undefined {
  const needed = neededOf(event, thrown);
  return needed === undefined ? undefined : value >= needed;
}

/** The dice of a throw in the order in which they are shown: hits first. */
export function sorted(event: Event, thrown: Throw): { value: number; index: number; hit: boolean | undefined }[] {
  return thrown.values
    .map((value, index) => ({ value, index, hit: hitOf(event, thrown, value) }))
    .sort((a, b) => (a.hit === undefined ? 0 : Number(b.hit) - Number(a.hit) || b.value - a.value));
}
