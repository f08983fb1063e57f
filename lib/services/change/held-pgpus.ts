import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import type { Query } from '@/lib/server/database/database'

const HELD = `
SELECT cl.host, cl.address, cl.change_id AS "changeId", ch.run_by AS by
FROM change_claim cl JOIN change ch ON ch.id = cl.change_id WHERE cl.cloud_id = $1 ORDER BY cl.host, cl.address`

/** pGPUs of a cloud's active changes. */
export const loadHeldPgpus = (query: Query, cloudId: number): Promise<HeldPgpu[]> =>
  query(HELD, [cloudId], uncheckedRow<HeldPgpu>())
