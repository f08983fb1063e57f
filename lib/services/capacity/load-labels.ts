import 'server-only'
import * as z from 'zod'
import { distinctLabels } from '@/lib/domain/history/distinct-labels'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'

// SQL: the history, which a replica may answer.
const LABELS = statement(`SELECT key, label FROM roll_up_label WHERE cloud_id = $1 AND dimension = $2`)
const labelRow = z.object({ key: z.string(), label: z.string() })

/** What the groups of a dimension are called, by their keys; those without a name are missing. */
export const loadLabels = async (
  query: Query,
  { cloudId, dimension }: { cloudId: number; dimension: string },
): Promise<Map<string, string>> => distinctLabels(await query(LABELS, [cloudId, dimension], labelRow))
