import 'server-only'
import * as z from 'zod'
import { chooseStep, DAY_MS, HOUR_MS, wholeSteps } from '@/lib/domain/history/series'
import { usageColumns } from '@/lib/domain/utilization/usage-columns'
import type { Utilization, UtilizationBy, UtilizationSeries } from '@/lib/schemas/api/utilization'
import { type UtilizationScope, utilizationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import type { RollUpStep } from '@/lib/schemas/states'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { loadLabels } from '@/lib/services/capacity/load-labels'
import { requestedRange } from '@/lib/services/capacity/requested-range'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { findHost, type HostRow } from '@/lib/services/stored-host/find-host'
import { loadLineage } from '@/lib/services/stored-host/host-span'
import { loadGroupSlots } from './group-rows'
import { readHostUsage, type UsageRange } from './read-host-usage'

const MAX_POINTS = 1000
const MAX_POINTS_TOGETHER = 2000
const MAX_SERIES = 20
const MAX_DAYS_BY_HOURS = 100
const HOURS = [1, 2, 3, 4, 6, 12, 24].map((hours) => hours * HOUR_MS)
const DAYS = [1, 2, 7, 14, 28].map((days) => days * DAY_MS)

const maxPointsOf = (series: number): number =>
  Math.max(1, Math.min(MAX_POINTS, Math.floor(MAX_POINTS_TOGETHER / Math.max(series, 1))))

type Read = Pick<Utilization, 'series' | 'leftOut'> & {
  range: UsageRange
  stepMs: number
  first: number | null
}
type Requested = { by: UtilizationBy; key: string | null; range: UsageRange }

// SQL: minima of two steps in one statement, on the read replica.
const FIRST = `
SELECT to_char(min(begin) FILTER (WHERE step = 'hour'), 'YYYY-MM-DD') AS hour,
  to_char(min(begin) FILTER (WHERE step = 'day'), 'YYYY-MM-DD') AS day
FROM utilisation_roll_up WHERE cloud_id = $1 AND dimension = 'all'`
const firstRow = z.object({ hour: z.string().nullable(), day: z.string().nullable() })

const momentOf = (day: string | null | undefined): number | null => (day ? Date.parse(`${day}T00:00Z`) : null)

/** Hours where they are kept and few enough, else days. */
const stepOf = (
  range: UsageRange,
  { hour, day }: { hour: number | null; day: number | null },
): RollUpStep => {
  if (hour === null || range.until - range.from > MAX_DAYS_BY_HOURS * DAY_MS) return 'day'
  // Days stand in pages of months, whose begin may lie before the first hour.
  return range.from >= hour || (day !== null && hour - day < 31 * DAY_MS) ? 'hour' : 'day'
}

const readGroups = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { by, key, range }: Requested,
): Promise<Read> => {
  const { history: query } = ctx.database
  const [oldest] = await query(FIRST, [cloud.id], firstRow)
  const [hour, day] = [momentOf(oldest?.hour), momentOf(oldest?.day)]
  const step = stepOf(range, { hour, day })
  const unitMs = step === 'hour' ? HOUR_MS : DAY_MS
  const askFor = (whole: UsageRange) =>
    loadGroupSlots(query, { cloudId: cloud.id, step, dimension: by, key: by === 'all' ? '' : key, ...whole })
  const known = await askFor(wholeSteps(range, unitMs))
  const sizes = [...known].map(([of, slots]) => ({
    of,
    size: slots.reduce((sum, slot) => sum + (slot?.utilization?.count ?? 0), 0),
  }))
  const keys = sizes
    .toSorted((a, b) => b.size - a.size || (a.of < b.of ? -1 : 1))
    .slice(0, MAX_SERIES)
    .map(({ of }) => of)
  const stepMs = chooseStep(range, {
    stepsMs: step === 'hour' ? HOURS : DAYS,
    maxPoints: maxPointsOf(keys.length),
  })
  const whole = wholeSteps(range, stepMs)
  const groups = stepMs === unitMs ? known : await askFor(whole)
  const labels = await loadLabels(query, { cloudId: cloud.id, dimension: by })
  const series = keys.map(
    (of): UtilizationSeries => ({
      key: of,
      label: labels.get(of) ?? of,
      guest: null,
      ...usageColumns(groups.get(of) ?? [], stepMs / unitMs),
    }),
  )
  const first = hour === null ? day : hour
  return { range: whole, stepMs, series, leftOut: known.size - keys.length, first }
}

const GUESTS = 'SELECT uuid, coalesce(server_name, name) AS name FROM guest WHERE host_id = $1'
const guestRow = z.object({ uuid: z.string(), name: z.string() })

const readHost = async (
  ctx: ServiceContext,
  host: HostRow,
  { by, address, range }: Omit<Requested, 'key'> & { address: string | null },
): Promise<Read> => {
  const { history: query } = ctx.database
  const of = by === 'vgpu' || by === 'pgpu' ? by : address === null ? 'host' : 'pgpu'
  const read = await readHostUsage(query, {
    hostIds: await loadLineage(query, host.id),
    by: of,
    address,
    range,
    maxPointsOf,
    now: ctx.now().getTime(),
  })
  const guests = new Map((await query(GUESTS, [host.id], guestRow)).map(({ uuid, name }) => [uuid, name]))
  const labelOf = ({ key, guest }: { key: string; guest: string | null }): string => {
    if (of === 'host') return host.name
    return guest === null ? key : (guests.get(guest) ?? guest)
  }
  const series = read.series
    .map((one) => ({ ...one, key: of === 'host' ? host.name : one.key, label: labelOf(one) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return {
    ...read,
    series: series.slice(0, MAX_SERIES * 5),
    leftOut: Math.max(0, series.length - MAX_SERIES * 5),
  }
}

/**
 * Utilization and framebuffer over time as series of at most 1,000 points: of the fleet and its groups from the roll-ups,
 * of one host, its pGPUs and vGPUs from the finest figures that are kept.
 */
export const getUtilization = async (ctx: ServiceContext, input: UtilizationScope): Promise<Utilization> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, host, address, by, key, ...moments } = parseInput(utilizationScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const range = requestedRange(ctx, moments)
  const isOfHost = by === 'host' || by === 'pgpu' || by === 'vgpu' || host !== null || address !== null
  if (isOfHost && host === null)
    throw new ServiceError('validation', `by is "${by}", but needs a host: name one with host.`, {
      field: 'host',
    })
  const read =
    host === null
      ? await readGroups(ctx, cloud, { by, key, range })
      : await readHost(ctx, await findHost(ctx, { cloud, host }), { by, address, range })
  return {
    cloud: cloud.name,
    by,
    from: new Date(read.range.from).toISOString(),
    until: new Date(read.range.until).toISOString(),
    stepSeconds: read.stepMs / 1000,
    timeZone: 'UTC',
    firstKnownAt: read.first === null ? null : new Date(read.first).toISOString(),
    series: read.series,
    leftOut: read.leftOut,
  }
}
