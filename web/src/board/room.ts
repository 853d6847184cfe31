/** Free room on the screen: where a box may lie so that it covers least and is near to what it belongs to. Pixels. */

export type Box = [left: number, top: number, right: number, bottom: number];

/**
 * Something that should not be covered: `weight` says how much worse a pixel of it is than a pixel of distance, and `touch`
 * how bad it is to cover any of it.
 */
export interface Obstacle {
  box: Box;
  weight: number;
  touch?: number;
}

export const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

export const grown = ([left, top, right, bottom]: Box, by: number): Box => [left - by, top - by, right + by, bottom + by];

export const about = (x: number, y: number, wide: number, high: number): Box => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];

/** The smallest box round several. */
export function round(boxes: Box[]): Box | null {
  if (!boxes.length) return null;
  return [
    Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}

/** How far apart two boxes are; 0 when they touch. */
export function apart(a: Box, b: Box): number {
  return Math.hypot(Math.max(0, a[0] - b[2], b[0] - a[2]), Math.max(0, a[1] - b[3], b[1] - a[3]));
}

/** What a box would cover, by weight. */
export function covered(box: Box, obstacles: Obstacle[]): number {
  let sum = 0;
  for (const { box: other, weight, touch = 0 } of obstacles) {
    const area = shared(box, other);
    if (area > 0) sum += touch + area * weight;
  }
  return sum;
}

/** A coarse look finds a bound, a fine one the place. */
const STEPS = [36, 6];

function steps(from: number, to: number, step: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / step));
  return Array.from({ length: count + 1 }, (_, k) => from + ((to - from) * k) / count);
}

/** So far from what it belongs to, a box still lies beside it; farther off, each pixel counts this many times. */
const BESIDE = 240;
const FARTHER = 4;

/** How much worse a box lies for being so many pixels away from what it belongs to. */
export const distant = (far: number): number => far + Math.max(0, far - BESIDE) * (FARTHER - 1);

/** What it costs that a box lies there: how far it is from what it belongs to, and what it covers. */
export function costs(box: Box, near: Box[], obstacles: Obstacle[], most = Infinity): number {
  let far = Infinity;
  for (const each of near) far = Math.min(far, distant(apart(box, each)) + 0.02 * Math.abs((box[0] + box[2]) / 2 - (each[0] + each[2]) / 2));
  if (far >= most) return far;
  return far + covered(box, obstacles);
}

/** Where a box of this size lies best within bounds: its left and top; near to one of several boxes, but off what is there. */
export function findRoom(wide: number, high: number, bounds: Box, near: Box[], obstacles: Obstacle[]): { x: number; y: number; cost: number } {
  const [left, top, right, bottom] = bounds;
  const [most, low] = [Math.max(left, right - wide), Math.max(top, bottom - high)];
  let best = { x: left, y: top, cost: Infinity };
  for (const step of STEPS) {
    const rows = steps(top, low, step);
    for (const x of steps(left, most, step)) {
      for (const y of rows) {
        const cost = costs([x, y, x + wide, y + high], near, obstacles, best.cost);
        if (cost < best.cost) best = { x, y, cost };
      }
    }
  }
  return best;
}

/** A box of this size at a side of another, in its middle: below it, above, right or left; or where there is room near to it. */
export function beside(near: Box, wide: number, high: number, bounds: Box, obstacles: Obstacle[]): Box {
  const [x, y] = [(near[0] + near[2] - wide) / 2, (near[1] + near[3] - high) / 2];
  const within = (at: number, low: number, top: number) => Math.max(low, Math.min(at, top));
  const sides: [number, number][] = [[x, near[3]], [x, near[1] - high], [near[2], y], [near[0] - wide, y]];
  for (const [left, top] of sides) {
    const [a, b] = [within(left, bounds[0], bounds[2] - wide), within(top, bounds[1], bounds[3] - high)];
    const box: Box = [a, b, a + wide, b + high];
    if (shared(box, near) === 0 && covered(box, obstacles) === 0) return box;
  }
  const room = findRoom(wide, high, bounds, [near], obstacles);
  return [room.x, room.y, room.x + wide, room.y + high];
}

/** A line as small boxes: enough to keep cards off it. */
export function alongLine(from: [number, number], to: [number, number], thick = 6): Box[] {
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const count = Math.max(1, Math.min(60, Math.ceil(far / 12)));
  return Array.from({ length: count + 1 }, (_, k) => about(from[0] + ((to[0] - from[0]) * k) / count, from[1] + ((to[1] - from[1]) * k) / count, thick, thick));
}
