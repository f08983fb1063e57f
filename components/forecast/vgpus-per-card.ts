import type { Overview } from '@/lib/schemas/api/fleet'
import type { ForecastBy } from '@/lib/schemas/api/forecast'

type Counted = { capacity: number | null; pgpus: number; unknownPgpus: number }

const shareOf = (rows: readonly Counted[]): number | null => {
  const pgpus = rows.reduce((sum, row) => sum + row.pgpus - row.unknownPgpus, 0)
  const capacity = rows.reduce((sum, row) => sum + (row.capacity ?? 0), 0)
  return pgpus === 0 || capacity === 0 ? null : capacity / pgpus
}

/** vGPUs that a pGPU of a type or model has on average; null: unknown, or the group has no single kind of card. */
export const vgpusPerCard = (
  overview: Pick<Overview, 'byModel'> | undefined,
  { by, key }: { by: ForecastBy; key: string },
): number | null => {
  const models = overview?.byModel ?? []
  if (by === 'model') return shareOf(models.filter(({ model }) => model === key))
  if (by !== 'type') return null
  return shareOf(
    models.flatMap(({ byType }) => byType.filter(({ unit, typeId }) => unit === 'vgpu' && typeId === key)),
  )
}
