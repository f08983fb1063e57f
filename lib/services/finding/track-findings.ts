import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { type FindingRow, trackedFinding } from './finding-row'
import { loadFindingMutes } from './load-finding-mutes'

/** Rows of one cloud as they are shown now. */
export const trackFindings = async (
  ctx: Pick<ServiceContext, 'database' | 'now'>,
  { cloudId, rows }: { cloudId: number; rows: readonly FindingRow[] },
): Promise<TrackedFinding[]> => {
  if (rows.length === 0) return []
  const now = ctx.now()
  const mutes = await loadFindingMutes(ctx.database, { cloudId, now })
  return rows.map((row) => trackedFinding(row, { now, mutes }))
}
