/**
 * How signs look, by the names that the server's badges give them: shapes in a square of 20 about its middle.
 *
 * A sign that is not among these is drawn as its short word in a frame. What a sign means is said by its badge.
 */

interface Look {
  /** The ground of the sign. */
  plate: "square" | "dark" | "burst" | "round" | "triangle";
  /** Lines upon it. */
  lines?: string;
  /** Filled shapes upon it. */
  solid?: string;
}

const burst = Array.from({ length: 20 }, (_, k) => {
  const angle = (k * Math.PI) / 10;
  const far = k % 2 ? 7.4 : 10.2;
  return `${(Math.sin(angle) * far).toFixed(1)} ${(-Math.cos(angle) * far).toFixed(1)}`;
}).join("L");

export const BURST = `M${burst}Z`;

export const LOOKS: Record<string, Look> = {
  burst: { plate: "burst" },
  pinned: { plate: "triangle" },
  astray: { plate: "square", lines: "M-6 -5L-2 -5M-6 -5v4M6 5L2 5M6 5v-4", solid: "M-6 2a2 2 0 1 0 4 0a2 2 0 1 0 -4 0zM2 -2a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z" },
  down: { plate: "dark", lines: "M-5 -5.5L0 -1.5L5 -5.5M-5 .5L0 4.5L5 .5" },
  earth: { plate: "square", lines: "M-7 5H7M-5.5 5A5.5 5.5 0 0 1 5.5 5", solid: "M-2 5a2 2.6 0 0 1 4 0z" },
  eye: { plate: "square", lines: "M-7 0Q0 -7.5 7 0Q0 7.5 -7 0Z", solid: "M-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0z" },
  halt: { plate: "square", lines: "M-5 -5L5 5M5 -5L-5 5" },
  mire: { plate: "square", lines: "M-7 -3q1.75 -3 3.5 0t3.5 0t3.5 0t3.5 0M-7 3q1.75 -3 3.5 0t3.5 0t3.5 0t3.5 0" },
  reticle: { plate: "square", lines: "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0zM0 -7.5v4.5M0 7.5v-4.5M-7.5 0h4.5M7.5 0h-4.5" },
  spotted: { plate: "square", lines: "M-6.5 -6.5h4M-6.5 -6.5v4M6.5 6.5h-4M6.5 6.5v-4M6.5 -6.5h-4M6.5 -6.5v4M-6.5 6.5h4M-6.5 6.5v-4", solid: "M-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z" },
  charge: { plate: "square", lines: "M2 -3.5q1 -3.5 4.5 -2.5", solid: "M-5.5 1.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z" },
  tick: { plate: "round", lines: "M-4.5 .5L-1.2 4L5 -4" },
  star: { plate: "square", solid: "M0 -6.5L1.8 -2.2L6.3 -1.9L2.8 1L4 5.6L0 3L-4 5.6L-2.8 1L-6.3 -1.9L-1.8 -2.2Z" },
  half: { plate: "round", solid: "M0 -6a6 6 0 0 1 0 12z", lines: "M0 -6a6 6 0 0 0 0 12" },
  leaderless: { plate: "square", lines: "M-5 6.5a5 5 0 0 1 10 0M-2.4 -3a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0zM-7 7L7 -7" },
  prone: { plate: "square", lines: "M-7 5.5H7M0 -6V2M-3 -.8L0 2.2L3 -.8" },
  run: { plate: "square", lines: "M-6 -5L-1 0L-6 5M0 -5L5 0L0 5" },
  plus: { plate: "square", lines: "M0 -5V5M-5 0H5" },
};
