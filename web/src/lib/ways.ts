import type { Option } from "./types";

/** Somebody who drags a little past what a move allows means that move. */
const PAST = 1;

/** Of several ways to move, the first by which one goes so many inches, or else by which one goes farthest. */
export function farEnough(options: Option[], inches: number): Option | undefined {
  const goes = (option: Option) => option.goes ?? 0;
  const enough = options.find((option) => goes(option) + PAST >= inches);
  const farthest = options.reduce<Option | undefined>((best, each) => (best && goes(best) >= goes(each) ? best : each), undefined);
  return enough ?? farthest;
}
