import { chooseStep, DAY_MS, HOUR_MS, wholeSteps } from '@/lib/domain/history/series'
import type { RefusalReason } from '@/lib/schemas/states'

/** Of a chart; a server is refused now and then, so finer ones would be bars of one. */
const MAX_POINTS = 100
const STEPS = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS]

/** How long each point of a range is that servers are counted in; times in ms. */
export const refusedStepMs = (range: { from: number; until: number }): number =>
  chooseStep(range, { stepsMs: STEPS, maxPoints: MAX_POINTS })

/** Servers refused between `at` and a step later, in ms. */
export type RefusedCount = { at: number; reason: RefusalReason; servers: number }
export type RefusedPoint = { at: number; servers: Record<RefusalReason, number> }

/**
 * The points of a range, each as long as a step, with 0 if no server was refused. They begin with the known time: at
 * `firstKnown`, or at the first server that Nova still listed from before; null: nothing was known yet. Times in ms.
 */
export const refusedPoints = (
  counts: readonly RefusedCount[],
  {
    from,
    until,
    stepMs,
    firstKnown,
  }: { from: number; until: number; stepMs: number; firstKnown: number | null },
): RefusedPoint[] => {
  const begin = Math.min(firstKnown ?? until, ...counts.map(({ at }) => at))
  const range = wholeSteps({ from: Math.max(from, begin), until }, stepMs)
  const points = Array.from({ length: Math.max(0, (range.until - range.from) / stepMs) }, (_, index) => ({
    at: range.from + index * stepMs,
    servers: { 'no-valid-host': 0, 'over-limit': 0, 'build-failed': 0 },
  }))
  for (const { at, reason, servers } of counts) {
    const point = points[Math.floor((at - range.from) / stepMs)]
    if (point !== undefined) point.servers[reason] += servers
  }
  return points
}
