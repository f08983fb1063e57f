import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import type { Reason } from './refused-labels'

/** Servers that were refused within a point of a chart, by reason; `at` is its begin, in ms since the epoch. */
export type RefusedPoint = Record<Reason, number> & { at: number; all: number }

export const toRefusedPoints = ({ points }: Pick<RefusedDemand, 'points'>): RefusedPoint[] =>
  points.map(({ at, servers }) => ({
    at: Date.parse(at),
    ...servers,
    all: Object.values(servers).reduce((sum, count) => sum + count, 0),
  }))
