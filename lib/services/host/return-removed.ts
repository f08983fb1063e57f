import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Query } from '@/lib/server/database/database'
import { renamedRemoved } from '@/lib/services/stored-host/removed-host-rows'
import { resumeHost } from './restore-host'

const FIND = `
SELECT id, removed_at AS "removedAt", removed_reason AS reason FROM host
WHERE cloud_id = $1 AND name = $2 AND removed_at IS NOT NULL`
const RENAME = 'UPDATE host SET name = $2 WHERE id = $1'

type Row = { id: number; removedAt: Date; reason: string | null }

/** Lets a removed host return as an admin decided: with its history, or as another host of the same name. */
export const returnRemoved = async (
  query: Query,
  {
    cloudId,
    cloud,
    hostName,
    approval,
    now,
  }: {
    cloudId: number
    cloud: string
    hostName: string
    approval: { by: string; asNew: boolean }
    now: Date
  },
): Promise<void> => {
  const [removed] = await query(FIND, [cloudId, hostName], uncheckedRow<Row>())
  if (removed === undefined) return
  const { id, removedAt, reason } = removed
  if (approval.asNew) {
    await query(RENAME, [id, renamedRemoved(hostName, { id, at: removedAt })])
    return
  }
  await resumeHost(query, { id, at: now })
  await writeAudit(query, {
    at: now,
    actor: { kind: 'system' },
    cloud,
    action: 'host.restore',
    subject: `host:${hostName}`,
    before: { removedAt: removedAt.toISOString(), reason },
    after: { reason: 'The host enrolled again', approvedBy: approval.by },
  })
}
