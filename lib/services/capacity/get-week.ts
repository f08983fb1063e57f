import 'server-only'
import { isHeldDimension } from '@/lib/domain/history/groups'
import { HOUR_MS, pointsOf, wholeSteps } from '@/lib/domain/history/series'
import { weekHours } from '@/lib/domain/history/week-hours'
import { type CapacityWeekScope, capacityWeekScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { createZoneOffset } from '@/lib/util/zone-offset'
import { oldestHour } from './first-known'
import { loadRolledSlots, type RolledRange } from './load-rolled-slots'
import { requestedRange } from './requested-range'

/** When in the week vGPUs are used, from the hours that are kept of a range: of the fleet, or of one group of it. */
export const getWeek = async (ctx: ServiceContext, input: CapacityWeekScope): Promise<CapacityWeek> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, by, key, zone, ...moments } = parseInput(capacityWeekScopeSchema, input)
  const { history: query } = ctx.database
  const cloud = await findCloud(ctx, { cloud: name })
  const requested = requestedRange(ctx, moments)
  const oldest = (await oldestHour(query, cloud.id)) ?? requested.until
  const { from: begin, until } = wholeSteps(requested, HOUR_MS)
  const from = Math.min(Math.max(begin, oldest), until)
  const range: RolledRange = { cloudId: cloud.id, step: 'hour', from, until }
  const fleet = (await loadRolledSlots(query, range, { dimension: 'all', keys: null })).get('') ?? []
  const wanted = key ?? ''
  const slots =
    by === 'all'
      ? fleet
      : ((await loadRolledSlots(query, range, { dimension: by, keys: [wanted] })).get(wanted) ?? [])
  const hours = pointsOf(slots, { fleet, per: 1, isHeld: isHeldDimension(by) })
  const days = weekHours(hours, { from, offsetAt: createZoneOffset(zone) })
  return {
    cloud: cloud.name,
    by,
    key: by === 'all' ? '' : wanted,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    timeZone: zone,
    days: days.map((day) => ({
      average: day.map(({ average }) => average),
      max: day.map(({ max }) => max),
    })),
  }
}
