import 'server-only'
import { alignColumns } from '@/lib/domain/history/compare'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { type CapacityExportScope, capacityExportScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
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

/** A page shows the series with the most vGPUs; a file contains all. */
const MAX_SERIES = 1000

const COMPARISON_HEAD = ['compared_at', 'compared_used', 'compared_used_max']

const momentAt = (from: string, stepSeconds: number, point: number): string =>
  new Date(Date.parse(from) + point * stepSeconds * 1000).toISOString()

/** The columns of the compared range: time, average and maximum use at each point of a series. */
const comparisonOf = (other: Capacity, { stepSeconds }: Capacity) => {
  const series = new Map(other.series.map((one) => [one.key, one]))
  return (key: string, count: number) => {
    const one = series.get(key) ?? { used: [], usedMax: [] }
    const columns = alignColumns(one, { otherStepSeconds: other.stepSeconds, stepSeconds, count })
    return (point: number) => [
      momentAt(other.from, stepSeconds, point),
      columns.used[point] ?? null,
      columns.usedMax[point] ?? null,
    ]
  }
}

/**
 * The same series as a table, one row for each point, with the columns of a compared range if one is named; empty:
 * unknown.
 */
export const exportCapacity = async (
  ctx: ServiceContext,
  input: CapacityExportScope,
): Promise<{ name: string; text: Encoded<'csv'> }> => {
  requirePermission(ctx, 'fleet.read')
  const { compareFrom, ...scope } = parseInput(capacityExportScopeSchema, input)
  const data = await getCapacitySeries(ctx, scope, { maxSeries: MAX_SERIES })
  const { cloud, by, from, until, stepSeconds, series } = data
  const length = Date.parse(scope.until ?? until) - Date.parse(scope.from ?? from)
  const comparison =
    compareFrom === null
      ? null
      : comparisonOf(
          await getCapacitySeries(
            ctx,
            {
              ...scope,
              from: compareFrom,
              until: new Date(Date.parse(compareFrom) + length).toISOString(),
            },
            { maxSeries: MAX_SERIES },
          ),
          data,
        )
  const rows = series.flatMap((one) => {
    const compared = comparison?.(one.key, one.used.length)
    return one.used.map((_, point) => [
      momentAt(from, stepSeconds, point),
      one.key,
      one.label,
      ...COLUMNS.map((column) => one[column][point] ?? null),
      ...(compared?.(point) ?? []),
    ])
  })
  const head = comparison === null ? HEAD : [...HEAD, ...COMPARISON_HEAD]
  const day = ctx.now().toISOString().slice(0, 10)
  return {
    name: `sliceboard-${cloud.replaceAll(/[^\w.-]/g, '_')}-capacity-${by}-${day}.csv`,
    text: csvText([head, ...rows]),
  }
}
