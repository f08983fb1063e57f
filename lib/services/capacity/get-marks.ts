import 'server-only'
import { chooseMarks } from '@/lib/domain/history/marks'
import { type CapacityMarksScope, capacityMarksScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { askedRange } from './asked-range'
import { askedScope } from './asked-scope'
import { loadMarkEvents } from './load-mark-events'

/**
 * What a chart of the capacity is marked with: changes that ended, hosts that fell silent for long, findings that opened; of the
 * chart of a group, a host or a pGPU what concerns it.
 */
export const getMarks = async (ctx: ServiceContext, input: CapacityMarksScope): Promise<CapacityMarks> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud: name, from, until, ...asked } = parseInput(capacityMarksScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: name })
  const range = askedRange(ctx, { from, until })
  const heard = ctx.now().getTime() - ctx.silentAfterSeconds * 1000
  const { events, hostCount } = await loadMarkEvents(ctx.database.history, {
    cloudId: cloud.id,
    scope: await askedScope(ctx, cloud, asked),
    ...range,
    heard,
  })
  const { marks, more } = chooseMarks(events, { ...range, hostCount })
  return {
    cloud: cloud.name,
    from: new Date(range.from).toISOString(),
    until: new Date(range.until).toISOString(),
    marks: marks.map(({ at, until, of, ...mark }) => ({
      ...mark,
      at: new Date(at).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      of: [...of],
    })),
    more,
  }
}
