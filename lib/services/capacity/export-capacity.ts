import 'server-only'
import type { CapacityScope } from '@/lib/schemas/api/capacity-inputs'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { csvField } from '@/lib/util/csv-field'
import { getCapacitySeries } from './get-capacity-series'

const COLUMNS = [
  'capacity',
  'capacityMax',
  'used',
  'usedMin',
  'usedMax',
  'spare',
  'orphan',
  'stranded',
  'unseen',
] as const
const HEAD = [
  'at',
  'key',
  'label',
  'capacity',
  'capacity_max',
  'used',
  'used_min',
  'used_max',
  'spare',
  'orphan',
  'stranded',
  'unseen',
]

/** The same series as a table, one row for each point; empty: nobody knew it. */
export const exportCapacity = async (
  ctx: ServiceContext,
  input: CapacityScope,
): Promise<{ name: string; text: string }> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, by, from, stepSeconds, series } = await getCapacitySeries(ctx, input)
  const rows = series.flatMap((one) =>
    one.used.map((_, point) => [
      new Date(Date.parse(from) + point * stepSeconds * 1000).toISOString(),
      one.key,
      one.label,
      ...COLUMNS.map((column) => one[column][point] ?? null),
    ]),
  )
  const lines = [HEAD, ...rows].map((fields) => `${fields.map(csvField).join(',')}\r\n`)
  const day = ctx.now().toISOString().slice(0, 10)
  return {
    name: `sliceboard-${cloud.replaceAll(/[^\w.-]/g, '_')}-capacity-${by}-${day}.csv`,
    text: lines.join(''),
  }
}
