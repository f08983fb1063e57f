import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import { wholeHours } from '@/lib/domain/review/period'
import { countUnmeasured, whyNoneMeasured } from '@/lib/domain/review/unmeasured-idle'
import type { ReviewContentV2 } from '@/lib/schemas/api/review-content'
import type { Query } from '@/lib/server/database/database'
import { findIdleVgpus } from '@/lib/services/utilization/find-idle-vgpus'
import { measuredPgpus } from '@/lib/services/utilization/measured-pgpus'
import { sumFleetUsage } from '@/lib/services/utilization/sum-fleet-usage'
import { compareTexts } from '@/lib/util/compare-texts'

/** A vGPU is idle if its utilization did not exceed this percentage for this number of days. */
const IDLE = { thresholdPercent: 1, days: 14 }
/** Data for less than half of a period does not represent all of it. */
const MIN_SHARE = 0.5

type Card = { hostId: number; address: string }
type ReviewSpan = { cloudId: number; from: number; until: number }

const tenth = (value: number): number => Math.round(value * 10) / 10

export type PgpuCount = { measured: number; unmeasured: number }

/** How many pGPUs of a cloud were measured in a time, and how many of those at its end were not. */
export const countMeasured = async (
  query: Query,
  {
    hostIds,
    cards,
    ...time
  }: { hostIds: readonly number[]; cards: readonly Card[]; from: number; until: number },
): Promise<PgpuCount> => {
  const measured = await measuredPgpus(query, { hostIds, ...wholeHours(time) })
  const unmeasured = cards.filter(({ hostId, address }) => !measured.has(`${hostId} ${address}`)).length
  return { measured: measured.size, unmeasured }
}

/** The average utilization of the GPUs in a period, of those with data. */
export const loadUtilization = async (
  query: Query,
  { cloudId, ...time }: ReviewSpan,
  pgpus: PgpuCount,
): Promise<ReviewContentV2['utilisation']> => {
  const { from, until } = wholeHours(time)
  const usage = await sumFleetUsage(query, { cloudId, from: new Date(from), until: new Date(until) })
  const { averagePercent, peakPercent, peakAt, knownShare } = usage
  if (averagePercent === null || peakPercent === null)
    return { isKnown: false, because: 'no agent reported it' }
  if (knownShare < MIN_SHARE)
    return {
      isKnown: false,
      because: `agents reported it in ${Math.round(knownShare * 100)} % of the time alone`,
    }
  return {
    isKnown: true,
    average: tenth(averagePercent),
    peak: tenth(peakPercent),
    at: peakAt?.toISOString() ?? null,
    pgpus,
  }
}

const labelOf = ({ project, projectId }: { project: string | null; projectId: string | null }): string =>
  project ?? projectId ?? 'unknown project'

/** vGPUs that were held at the end of a time and idle, by project; by whole days in UTC before it. */
export const loadIdle = async (
  query: Query,
  { cloudId, until }: ReviewSpan,
  { max, pgpus }: { max: { projects: number; longest: number }; pgpus: PgpuCount },
): Promise<ReviewContentV2['idle']> => {
  const asOf = new Date(Math.floor(until / DAY_MS) * DAY_MS)
  const { idle, unmeasured, held, measuredSince } = await findIdleVgpus(query, { cloudId, asOf, ...IDLE })
  const isTooShort = measuredSince !== null && measuredSince.getTime() > asOf.getTime() - IDLE.days * DAY_MS
  if (isTooShort && unmeasured.some(({ reason }) => reason === 'too-short'))
    return {
      isKnown: false,
      because: `agents have reported utilization since ${measuredSince.toISOString().slice(0, 10)}, and ${IDLE.days} days are required`,
    }
  const reasons = countUnmeasured(unmeasured)
  if (held > 0 && unmeasured.length === held)
    return {
      isKnown: false,
      because: whyNoneMeasured({ held, unmeasured: reasons, measuredPgpus: pgpus.measured }),
    }
  const counts = new Map<string, number>()
  for (const { project, projectId } of idle) {
    const label = labelOf({ project, projectId })
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const projects = [...counts]
    .map(([label, vgpus]) => ({ label, vgpus }))
    .toSorted((a, b) => b.vgpus - a.vgpus || (a.label < b.label ? -1 : 1))
  const listed = projects.slice(0, max.projects)
  return {
    isKnown: true,
    vgpus: idle.length,
    held,
    untold: reasons,
    belowPercent: IDLE.thresholdPercent,
    days: IDLE.days,
    projects: listed,
    others: idle.length - listed.reduce((sum, { vgpus }) => sum + vgpus, 0),
    longest: idle
      .toSorted((a, b) => a.since.getTime() - b.since.getTime() || compareTexts(a.guest, b.guest))
      .slice(0, max.longest)
      .map((one) => ({
        server: one.server,
        project: labelOf(one),
        since: one.since.toISOString(),
        hosts: one.hosts,
      })),
  }
}
