import 'server-only'
import * as z from 'zod'
import { averageOf, type Slot } from '@/lib/domain/history/figures'
import { DAY_MS, HOUR_MS, seriesColumns } from '@/lib/domain/history/series'
import { wholeHours } from '@/lib/domain/review/period'
import type { ProjectUse } from '@/lib/domain/review/project-growth'
import type { ReviewContent } from '@/lib/schemas/api/review-content'
import type { Query } from '@/lib/server/database/database'
import { loadRolledSlots } from '@/lib/services/capacity/load-rolled-slots'

/** Hours of a point, so that a quarter has as many points as a month. */
const HOURS_OF_POINT = { month: 1, quarter: 3 } as const
const EDGE_DAYS = 7

type ReviewSpan = {
  cloudId: number
  kind: 'month' | 'quarter'
  filter: ReviewContent['filter']
  /** ms. */
  from: number
  until: number
}

export type ReviewSeries = Pick<ReviewContent, 'hours' | 'peak' | 'average'> & {
  chart: Omit<ReviewContent['chart'], 'marks'>
}

const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10)

/** Over all hours, weighted by the time in which it was known. */
const averageOver = (slots: readonly (Slot | null)[], name: 'used' | 'capacity'): number | null => {
  const figures = slots.flatMap((slot) => (slot === null ? [] : [slot[name]]))
  const knownMs = figures.reduce((sum, figure) => sum + figure.knownMs, 0)
  const integral = figures.reduce((sum, figure) => sum + figure.integral, 0)
  return tenth(averageOf({ knownMs, integral, min: null, max: null }))
}

const peakOf = (slots: readonly (Slot | null)[], from: number): ReviewContent['peak'] => {
  let index = -1
  for (const [hour, slot] of slots.entries()) {
    const used = slot?.used.max ?? null
    if (used !== null && used > (slots[index]?.used.max ?? -1)) index = hour
  }
  const slot = slots[index]
  return !slot || slot.used.max === null || slot.capacity.max === null
    ? null
    : { used: slot.used.max, capacity: slot.capacity.max, at: new Date(from + index * HOUR_MS).toISOString() }
}

/** What the roll-ups say of a period's whole hours; a quarter is drawn in points of three hours. */
export const loadReviewSeries = async (query: Query, requested: ReviewSpan): Promise<ReviewSeries> => {
  const { cloudId, kind, filter } = requested
  const hours = wholeHours(requested)
  const range = { cloudId, step: 'hour' as const, ...hours }
  const of = async (dimension: string, key: string): Promise<(Slot | null)[]> => {
    const groups = await loadRolledSlots(query, range, { dimension, keys: [key] })
    return groups.get(key) ?? new Array<null>((hours.until - hours.from) / HOUR_MS).fill(null)
  }
  const fleet = await of('all', '')
  const slots = filter.by === 'all' ? fleet : await of(filter.by, filter.key)
  const per = HOURS_OF_POINT[kind]
  const columns = seriesColumns(slots, { fleet, per, isHeld: false })
  return {
    hours: { whole: slots.length, watched: slots.filter((slot) => (slot?.knownMs ?? 0) > 0).length },
    peak: peakOf(slots, hours.from),
    average: { used: averageOver(slots, 'used'), capacity: averageOver(slots, 'capacity') },
    chart: {
      from: new Date(hours.from).toISOString(),
      stepSeconds: (per * HOUR_MS) / 1000,
      used: columns.usedMax,
      capacity: columns.capacity,
      unseen: columns.unseen,
    },
  }
}

/** What each project held on average in the first seven days and in the last seven; null where one of them is not known. */
export const loadProjectUses = async (
  query: Query,
  { cloudId, ...time }: { cloudId: number; from: number; until: number },
): Promise<ProjectUse[] | null> => {
  const { from, until } = wholeHours(time)
  if (until - from < 2 * EDGE_DAYS * DAY_MS) return null
  const averages = async (begin: number, end: number): Promise<Map<string, number> | null> => {
    const range = { cloudId, step: 'hour' as const, from: begin, until: end }
    const fleet = (await loadRolledSlots(query, range, { dimension: 'all', keys: null })).get('') ?? []
    // In hours in which the fleet was watched and a project held nothing it held 0.
    const knownMs = fleet.reduce((sum, slot) => sum + (slot?.knownMs ?? 0), 0)
    if (knownMs === 0) return null
    const groups = await loadRolledSlots(query, range, { dimension: 'project', keys: null })
    return new Map(
      [...groups].map(([key, slots]) => {
        const integral = slots.reduce((sum, slot) => sum + (slot?.used.integral ?? 0), 0)
        return [key, integral / knownMs]
      }),
    )
  }
  const before = await averages(from, from + EDGE_DAYS * DAY_MS)
  const after = await averages(until - EDGE_DAYS * DAY_MS, until)
  if (before === null || after === null) return null
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => ({
    key,
    before: before.get(key) ?? 0,
    after: after.get(key) ?? 0,
  }))
}

// SQL: the history of guests is a view, which Prisma does not know.
const NAME_OF_PROJECT = `
SELECT c.project_name AS name FROM guest_history c JOIN host h ON h.id = c.host_id
WHERE h.cloud_id = $1 AND c.project_id = $2 AND c.at < $3::timestamptz AND c.project_name IS NOT NULL
ORDER BY c.at DESC, c.project_name LIMIT 1`
const nameRow = z.object({ name: z.string() })

/** The last name of a project before a time; its id if no name is known. */
export const projectNameAt = async (
  query: Query,
  { cloudId, key, at }: { cloudId: number; key: string; at: number },
): Promise<string> => {
  if (key === '') return 'unknown project'
  const [row] = await query(NAME_OF_PROJECT, [cloudId, key, new Date(at)], nameRow)
  return row?.name ?? key
}
