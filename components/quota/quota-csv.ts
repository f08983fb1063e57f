import { capacityShare } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaClass, QuotaRow } from '@/lib/schemas/api/quota'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

type Cell = string | number | null
type Line = { row: QuotaRow; of: QuotaClass | undefined }

const COLUMNS: readonly (readonly [string, (line: Line) => Cell])[] = [
  ['project', ({ row }) => row.projectName],
  ['project_id', ({ row }) => row.projectId],
  ['resource', ({ row }) => row.resourceName],
  [
    'limit',
    ({ row: { limit } }) =>
      limit.kind === 'number' ? limit.value : limit.kind === 'unlimited' ? 'none' : null,
  ],
  ['limit_from', ({ row }) => row.limit.origin],
  ['used', ({ row }) => row.used.value],
  ['used_twice_by_moves', ({ row }) => row.moving.amount],
  ['left', ({ row }) => row.left],
  ['capacity', ({ of }) => of?.capacity?.value ?? null],
  [
    'share_of_capacity_percent',
    ({ row, of }) => {
      const share = of === undefined ? null : capacityShare(row, of)
      return share === null ? null : Math.round(share * 1000) / 10
    },
  ],
]

/** The rows in the order in which they are shown. An unknown number is an empty field. */
export const quotaCsv = (
  { cloud, region }: { cloud: string; region: string | null },
  { classes, rows }: { classes: readonly QuotaClass[]; rows: readonly QuotaRow[] },
): Encoded<'csv'> => {
  const byClass = new Map(classes.map((each) => [each.resourceName, each]))
  return csvText([
    ['cloud', 'region', ...COLUMNS.map(([name]) => name)],
    ...rows.map((row) => [
      cloud,
      region,
      ...COLUMNS.map(([, read]) => read({ row, of: byClass.get(row.resourceName) })),
    ]),
  ])
}
