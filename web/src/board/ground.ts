/** What lies at a place of the table: the last drawn is on top. */

import type { Area, Feature, Point, Scene } from "../lib/types";
import { distance, inside } from "./geometry";

/** A line is met when one points this near to it, in inches. */
const NEAR = 0.7;

function toLine(point: Point, points: Point[]): number {
  let best = Infinity;
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k] as Point, points[k + 1] as Point];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const share = Math.max(0, Math.min(1, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    best = Math.min(best, distance(point, [a[0] + dx * share, a[1] + dy * share]));
  }
  return best;
}

const closed = (feature: Feature) => feature.closed !== false && feature.points.length > 2;

/** The features at a place, lines first: who points at a hedge in a field means the hedge. */
export function featuresAt(scene: Scene, at: Point): Feature[] {
  const lines = scene.features.filter((feature) => !closed(feature) && toLine(at, feature.points) < NEAR);
  const grounds = scene.features.filter((feature) => closed(feature) && inside(at, feature.points));
  return [...lines.reverse(), ...grounds.reverse()];
}

export const areasAt = (areas: Area[], at: Point): Area[] => areas.filter((area) => area.points.length > 2 && inside(at, area.points));
