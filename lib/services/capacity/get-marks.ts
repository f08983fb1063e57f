import 'server-only'
import type * as z from 'zod'
import { chooseMarks } from '@/lib/domain/history/marks'
import { type CapacityMarksScope, capacityMarksScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { findHost } from '@/lib/services/host/find-host'
import { askedRange } from './asked-range'
import { loadMarkEvents } from './load-mark-events'
import type { MarkScope } from './marked-members'

type Asked = Pick<z.output<typeof capacityMarksScopeSchema>, 'by' | 'key' | 'host' | 'address'>

const scopeOf = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { by, key, host, address }: Asked,
): Promise<MarkScope | null> => {
  if (host !== null) return { by: 'host', key: (await findHost(ctx, { cloud, host })).name, address }
  return by === 'all' || key === null ? null : { by, key }
}

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
    scope: await scopeOf(ctx, cloud, asked),
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
