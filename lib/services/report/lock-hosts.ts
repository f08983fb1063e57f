import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { GroupMember } from './group-member'
import type { LockedHost } from './locked-host'
import { moment, momentOf, pgArray, pgColumns } from './pg-array'

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

/** Locks the hosts of a group until the transaction ends: nobody else moves them meanwhile. */
export const lockHosts = async (query: Query, members: readonly GroupMember[]): Promise<LockedHost[]> => {
  const ids = [...new Set(members.map(({ actor }) => actor.hostId))]
  const rows = await query<Row>(LOCK_HOSTS, [pgArray(ids)])
  return rows.map(({ boot, sequence, watchedSince, watchedAt, ...host }) => ({
    ...host,
    position: { boot, sequence },
    watch: { since: watchedSince?.getTime() ?? null, at: watchedAt?.getTime() ?? null },
  }))
}

// The same lock in the same order, for a transaction that is sent in one go: it ends here unless every host is found as it is
// known, in all that a group's decision looks at.
const LOCK_AS_KNOWN = statement(`
SELECT require_hosts_as_known(count(*), $10::int) FROM (
  SELECT h.id FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::int[]) AS r (id, enrolment, boot, sequence, digest, version, watched_since, watched_at, credential_id)
  JOIN host h ON h.id = r.id
  WHERE h.enrolment = r.enrolment AND h.boot = r.boot AND h.sequence = r.sequence AND h.digest IS NOT DISTINCT FROM r.digest
    AND h.applied_reports = r.version AND h.watched_since IS NOT DISTINCT FROM ${momentOf('r.watched_since')}
    AND h.watched_at IS NOT DISTINCT FROM ${momentOf('r.watched_at')}
    AND EXISTS (SELECT 1 FROM agent_credential c WHERE c.id = r.credential_id AND c.revoked_at IS NULL)
  ORDER BY h.id FOR NO KEY UPDATE OF h) AS known`)

/** What the database says when a host is not as it is known. */
export const NOT_AS_KNOWN = 'SB001'

/** Locks hosts that are known to stand so; the transaction fails with NOT_AS_KNOWN if one does not. */
export const lockKnownHosts = async (query: Query, hosts: readonly LockedHost[]): Promise<void> => {
  const columns = pgColumns(hosts, [
    ({ id }) => id,
    ({ enrolment }) => enrolment,
    ({ position }) => position.boot,
    ({ position }) => position.sequence,
    ({ digest }) => digest,
    ({ version }) => version,
    ({ watch }) => moment(watch.since),
    ({ watch }) => moment(watch.at),
    ({ credentialId }) => credentialId,
  ])
  await query(LOCK_AS_KNOWN, [...columns, String(hosts.length)])
}
