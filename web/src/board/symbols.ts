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

/** How a body of men stands: a word, and men seen from above in a box of 30 by 18, or the line of a turn. */
export interface ShapeLook {
  word: string;
  men: [number, number][];
  turn?: string;
}

const block = (files: number, ranks: number, across: number, deep = across): [number, number][] =>
  Array.from({ length: files * ranks }, (_, k) => [((k % files) - (files - 1) / 2) * across, (Math.floor(k / files) - (ranks - 1) / 2) * deep]);

const SHAPE_LOOKS: Record<string, ShapeLook> = {
  line: { word: "Line", men: block(6, 2, 4.6) },
  column: { word: "Column", men: block(3, 4, 4.6) },
  "march-column": { word: "March", men: block(2, 4, 4.6) },
  close: { word: "Close", men: block(4, 2, 4.4) },
  loose: { word: "Loose", men: [[-10, -4], [-3, -5], [5, -3], [11, -5], [-7, 4], [1, 5], [8, 4]] },
  extended: { word: "Extended", men: [[-14, -4], [-5, 2], [4, -4], [13, 2]] },
  "about-face": { word: "About", men: [], turn: "M-6 7V-2A5.5 5.5 0 0 1 5 -2V5M1 1L5 6L9 1" },
  face: { word: "Face", men: [], turn: "M-7 7V1A5 5 0 0 1 -2 -4H6M2 -8L7 -4L2 0" },
};

/** The look of a shape; of one that is not known, the first word of what it is called. */
export const shapeLook = (shape: string, label: string): ShapeLook =>
  SHAPE_LOOKS[shape] ?? { word: label.split(" ")[0] ?? label, men: block(3, 2, 5) };
