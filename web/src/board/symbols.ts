/** Figures and vehicles as paths, in inches about the middle of a base, its front upwards. */

import { short } from "./geometry";

/** The palette's word for a side; any other side is neutral. */
export const sideInk = (side: string) => (side === "red" || side === "blue" ? side : "neutral");

/** Where the figures of a base stand, and how large they are. */
export function figures(w: number, d: number): { x: number; y: number }[] {
  const count = Math.max(1, Math.min(9, Math.round(w * d * 3)));
  const rows = d < 0.8 || count < 3 ? [count] : [Math.ceil(count / 2), Math.floor(count / 2)];
  const step = (w - 0.4) / Math.max(...rows);
  return rows.flatMap((men, row) => {
    const y = 0.07 + (row - (rows.length - 1) / 2) * d * 0.4;
    return Array.from({ length: men }, (_, k) => ({ x: (k - (men - 1) / 2) * step, y }));
  });
}

export const turretRing = (size: number) => {
  const [a, b] = [short(size), short(size / 2)];
  return `M-${b} -${a}H${b}L${a} -${b}V${b}L${b} ${a}H-${b}L-${a} ${b}V-${b}z`;
};

/** A field of fire about "up", from the middle out to `reach`. */
export function wedge(degrees: number, reach: number): string {
  const half = (Math.min(degrees, 359.9) / 2) * (Math.PI / 180);
  const [x, y] = [Math.sin(half) * reach, -Math.cos(half) * reach];
  return `M0 0L${short(-x)} ${short(y)}A${short(reach)} ${short(reach)} 0 ${half > Math.PI / 2 ? 1 : 0} 1 ${short(x)} ${short(y)}Z`;
}
