import type { ChartPoint } from './chart-point'

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

const roundUp = (value: number): number => {
  const unit = 10 ** Math.floor(Math.log10(value))
  return (STEPS.find((step) => step * unit >= value) ?? 10) * unit
}

/**
 * Where the axis ends. Where the capacity changes as a gap begins or ends, what was known of a point and what was not may add up to
 * more than there is; such a peak of one point does not shrink all others.
 */
export const chartTop = (points: readonly ChartPoint[]): number => {
  const sums = points.map(({ capacity, unseen }) => (capacity ?? 0) + (unseen ?? 0))
  const lasting = sums.map((sum, place) =>
    Math.min(sum, Math.max(sums[place - 1] ?? sum, sums[place + 1] ?? sum)),
  )
  const most = Math.max(
    0,
    ...lasting,
    ...points.flatMap(({ capacity, used, before }) => [capacity ?? 0, used ?? 0, before ?? 0]),
  )
  return most <= 4 ? 4 : roundUp(most)
}
