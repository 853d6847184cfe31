/** What one does here: with a mouse one clicks, with a finger one taps. */
export const PRESS = matchMedia("(pointer: coarse)").matches ? "Tap" : "Click";
