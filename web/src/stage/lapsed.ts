/** Parts of an order that fell away: by Unit and reason, so that what holds for several is said once. */

import type { Event } from "../lib/types";
import { idsIn, WHO } from "./beats";

export interface Lapse {
  first: Event;
  /** How many more it holds for. */
  more: number;
  /** Those whose order it was. */
  whom: string[];
}

export function lapses(events: Event[], unitOf: (id: string) => string): Lapse[] {
  const found = new Map<string, Lapse>();
  for (const event of events) {
    const whom = idsIn(event, WHO);
    const key = JSON.stringify([event.kind, event.rules, [...new Set(whom.map(unitOf))]]);
    const have = found.get(key);
    if (have) {
      have.more += 1;
      have.whom.push(...whom.filter((id) => !have.whom.includes(id)));
    } else found.set(key, { first: event, more: 0, whom: [...whom] });
  }
  return [...found.values()];
}

/** What is said after the first of several. */
export const moreWords = (more: number): string => (more ? `The same holds for ${more} more.` : "");
