/** A point covers all of its time, from `at` in ms on: the last one is drawn to its end, or as far as it is known. */
export const drawnToEnd = <Point extends { at: number; endsAt?: number }>(
  points: readonly Point[],
  stepSeconds: number,
): Point[] => {
  const last = points.at(-1)
  return last === undefined ? [] : [...points, { ...last, at: last.endsAt ?? last.at + stepSeconds * 1000 }]
}
