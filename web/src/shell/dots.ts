/** Where the dots of a six-sided die lie, in a square of 30. */
export function dots(value: number): [number, number][] {
  const low = 8;
  const high = 22;
  const corners: [number, number][] = [[low, low], [high, high], [high, low], [low, high]];
  const even = value >= 4 ? corners : value >= 2 ? corners.slice(0, 2) : [];
  const sides: [number, number][] = value === 6 ? [[low, 15], [high, 15]] : [];
  return [...even, ...sides, ...(value % 2 ? ([[15, 15]] as [number, number][]) : [])];
}
