/** A point stands for all of its time, from `at` in ms on: the last one is drawn to its end. */
export const drawnToEnd = <Point extends { at: number }>(
  points: readonly Point[],
  stepSeconds: number,
): Point[] => {
  const last = points.at(-1)
  return last === undefined ? [] : [...points, { ...last, at: last.at + stepSeconds * 1000 }]
}
