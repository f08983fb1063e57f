import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { LockedHost } from './decide-group'
import type { GroupMember } from './group-member'
import { pgArray } from './pg-array'

// By id, so that two consoles with the same hosts do not wait for each other in a circle. Credentials are read here too, so
// that a revoked one writes nothing from the moment on at which its revocation commits.
const LOCK_HOSTS = statement(`
SELECT h.id, h.enrolment, h.boot, h.sequence, h.digest, h.applied_reports AS version,
  h.watched_since AS "watchedSince", h.watched_at AS "watchedAt",
  (SELECT c.id FROM agent_credential c
   WHERE c.host_id = h.id AND c.enrolment = h.enrolment AND c.revoked_at IS NULL) AS "credentialId"
FROM host h WHERE h.id = ANY($1::int[]) ORDER BY h.id FOR NO KEY UPDATE OF h`)

type Row = {
  id: number
  enrolment: number
  boot: number
  sequence: number
  digest: string | null
  version: number
  watchedSince: Date | null
  watchedAt: Date | null
  credentialId: number | null
}

export type LockedGroup = { hosts: LockedHost[]; validCredentials: Set<number> }

/** Locks the hosts of a group until the transaction ends: nobody else moves them meanwhile. */
export const lockHosts = async (query: Query, members: readonly GroupMember[]): Promise<LockedGroup> => {
  const ids = [...new Set(members.map(({ actor }) => actor.hostId))]
  const rows = await query<Row>(LOCK_HOSTS, [pgArray(ids)])
  return {
    hosts: rows.map(({ id, enrolment, boot, sequence, digest, version, watchedSince, watchedAt }) => ({
      id,
      enrolment,
      position: { boot, sequence },
      digest,
      version,
      watch: { since: watchedSince?.getTime() ?? null, at: watchedAt?.getTime() ?? null },
    })),
    validCredentials: new Set(rows.flatMap(({ credentialId }) => credentialId ?? [])),
  }
}
