/** Where on the table something happened, as far as an event's data tell. */

import type { Table } from "../lib/table.svelte";
import type { Event, Json, Point } from "../lib/types";
import { middle } from "./geometry";

const isPoint = (value: Json | undefined): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");

/** The place that an event names: a point, a base, a Unit; null when it happened nowhere. */
export function placeOf(event: Event, table: Table): Point | null {
  const data = event.data ?? {};
  for (const name of ["at", "to", "point", "place"]) {
    const value = data[name];
    if (isPoint(value)) return value;
  }
  // Who suffered it comes before who did it: there the eye is.
  for (const name of ["target", "team", "targets", "teams"]) {
    const found = standing(data[name], table);
    if (found) return found;
  }
  return Object.values(data).reduce<Point | null>((found, value) => found ?? standing(value, table), null);
}

function standing(value: Json | undefined, table: Table): Point | null {
  if (typeof value === "string") {
    const pieces = table.scene.pieces.filter((piece) => piece.id === value || piece.unit === value);
    return pieces.length ? middle(pieces.map(({ place }) => [place.x, place.y])) : null;
  }
  if (value && typeof value === "object") {
    const inner = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
    for (const each of inner) {
      const found = standing(each, table);
      if (found) return found;
    }
  }
  return null;
}
