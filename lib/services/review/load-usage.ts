import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import { wholeHours } from '@/lib/domain/review/period'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import type { Query } from '@/lib/server/database/database'
import { findIdleVgpus } from '@/lib/services/utilisation/find-idle-vgpus'
import { sumFleetUsage } from '@/lib/services/utilisation/sum-fleet-usage'

/** A vGPU whose utilisation never passed so many percent for so many days is idle. */
const IDLE = { thresholdPercent: 1, days: 14 }
/** Less than half of a time says nothing of the whole of it. */
const LEAST_SHARE = 0.5

type Asked = { cloudId: number; from: number; until: number }

const tenth = (value: number): number => Math.round(value * 10) / 10

/** How much of the GPUs' power was used in a time, of those that told. */
export const loadUtilisation = async (
  query: Query,
  { cloudId, ...time }: Asked,
): Promise<ReviewContent['utilisation']> => {
  const { from, until } = wholeHours(time)
  const usage = await sumFleetUsage(query, { cloudId, from: new Date(from), until: new Date(until) })
  const { averagePercent, peakPercent, peakAt, knownShare } = usage
  if (averagePercent === null || peakPercent === null)
    return { isKnown: false, because: 'no agent reported it' }
  if (knownShare < LEAST_SHARE)
    return {
      isKnown: false,
      because: `agents reported it in ${Math.round(knownShare * 100)} % of the time alone`,
    }
  return {
    isKnown: true,
    average: tenth(averagePercent),
    peak: tenth(peakPercent),
    at: peakAt?.toISOString() ?? null,
  }
}

/** vGPUs that were held at the end of a time and idle, by project; by whole days in UTC before it. */
export const loadIdle = async (
  query: Query,
  { cloudId, until }: Asked,
  most: number,
): Promise<ReviewContent['idle']> => {
  const asOf = new Date(Math.floor(until / DAY_MS) * DAY_MS)
  const { idle, untold, held, measuredSince } = await findIdleVgpus(query, { cloudId, asOf, ...IDLE })
  const isTooShort = measuredSince !== null && measuredSince.getTime() > asOf.getTime() - IDLE.days * DAY_MS
  if (isTooShort && untold.some(({ reason }) => reason === 'too-short'))
    return {
      isKnown: false,
      because: `agents reported utilisation from ${measuredSince.toISOString().slice(0, 10)} on, and it takes ${IDLE.days} days to tell`,
    }
  if (held > 0 && untold.length === held) return { isKnown: false, because: 'no agent reported utilisation' }
  const counts = new Map<string, number>()
  for (const { project, projectId } of idle) {
    const label = project ?? projectId ?? 'unknown project'
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const projects = [...counts]
    .map(([label, vgpus]) => ({ label, vgpus }))
    .toSorted((a, b) => b.vgpus - a.vgpus || (a.label < b.label ? -1 : 1))
  const listed = projects.slice(0, most)
  return {
    isKnown: true,
    vgpus: idle.length,
    untold: untold.length,
    belowPercent: IDLE.thresholdPercent,
    days: IDLE.days,
    projects: listed,
    others: idle.length - listed.reduce((sum, { vgpus }) => sum + vgpus, 0),
  }
}
