import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { statement } from '@/lib/server/database/statement'
import type { GroupMember } from './group-member'
import type { LockedHost } from './locked-host'
import { type Cell, columnArrays, columnNames, moment, momentOf, pgArray, pgColumns } from './pg-array'

// By id, so that nobody who locks several hosts waits for another in a circle.
const LOCK_HOSTS = statement(`
SELECT h.id, h.enrolment, h.boot, h.sequence, h.digest, h.applied_reports AS version,
  h.watched_since AS "watchedSince", h.watched_at AS "watchedAt"
FROM host h WHERE h.id = ANY($1::int[]) ORDER BY h.id FOR NO KEY UPDATE OF h`)

// A statement after the one that locks: who revokes a credential holds its host's row until that has committed, and a statement
// that waits for it goes on with what it saw before.
const VALID_CREDENTIALS = statement(`
SELECT c.host_id AS "hostId", c.id FROM agent_credential c JOIN host h ON h.id = c.host_id AND h.enrolment = c.enrolment
WHERE c.host_id = ANY($1::int[]) AND c.revoked_at IS NULL`)

type Row = {
  id: number
  enrolment: number
  boot: number
  sequence: number
  digest: string | null
  version: number
  watchedSince: Date | null
  watchedAt: Date | null
}

/** Locks the hosts of a group until the transaction ends: nobody else moves them meanwhile. */
export const lockHosts = async (query: Query, members: readonly GroupMember[]): Promise<LockedHost[]> => {
  const ids = [...new Set(members.map(({ actor }) => actor.hostId))]
  const rows = await query<Row>(LOCK_HOSTS, [pgArray(ids)])
  const credentials = await query<{ hostId: number; id: number }>(VALID_CREDENTIALS, [pgArray(ids)])
  const credentialOf = new Map(credentials.map(({ hostId, id }) => [hostId, id]))
  return rows.map(({ boot, sequence, watchedSince, watchedAt, ...host }) => ({
    ...host,
    credentialId: credentialOf.get(host.id) ?? null,
    position: { boot, sequence },
    watch: { since: watchedSince?.getTime() ?? null, at: watchedAt?.getTime() ?? null },
  }))
}

/** What a group's decision looks at of a host, and where it stands in the host's row. */
const KNOWN = [
  {
    name: 'known_enrolment',
    type: 'int',
    cell: ({ enrolment }) => enrolment,
    stands: 'h.enrolment = r.known_enrolment',
  },
  { name: 'known_boot', type: 'int', cell: ({ position }) => position.boot, stands: 'h.boot = r.known_boot' },
  {
    name: 'known_sequence',
    type: 'int',
    cell: ({ position }) => position.sequence,
    stands: 'h.sequence = r.known_sequence',
  },
  {
    name: 'known_digest',
    type: 'text',
    cell: ({ digest }) => digest,
    stands: 'h.digest IS NOT DISTINCT FROM r.known_digest',
  },
  {
    name: 'known_version',
    type: 'bigint',
    cell: ({ version }) => version,
    stands: 'h.applied_reports = r.known_version',
  },
  {
    name: 'known_since',
    type: 'bigint',
    cell: ({ watch }) => moment(watch.since),
    stands: `h.watched_since IS NOT DISTINCT FROM ${momentOf('r.known_since')}`,
  },
  {
    name: 'known_watched',
    type: 'bigint',
    cell: ({ watch }) => moment(watch.at),
    stands: `h.watched_at IS NOT DISTINCT FROM ${momentOf('r.known_watched')}`,
  },
] as const satisfies readonly {
  name: string
  type: string
  cell: (host: LockedHost) => Cell
  stands: string
}[]

export const KNOWN_COLUMNS = KNOWN.map(({ name, type }) => [name, type] as const)
export const KNOWN_CELLS: readonly ((host: LockedHost) => Cell)[] = KNOWN.map(({ cell }) => cell)
/** Whether the row h of a host stands as r knows it, as SQL. */
export const STANDS_AS_KNOWN = KNOWN.map(({ stands }) => stands).join(' AND ')

/** What the database says when a host is not as it is known. */
export const NOT_AS_KNOWN = 'SB001'

const LOCK_COLUMNS = [['id', 'int'], ...KNOWN_COLUMNS] as const

// The same lock in the same order, for a transaction that is sent in one go: it ends here unless every host is found as it is
// known.
const LOCK_AS_KNOWN = statement(`
SELECT require_hosts_as_known(count(*), cardinality($1::int[])) FROM (
  SELECT h.id FROM unnest(${columnArrays(LOCK_COLUMNS)}) AS r (${columnNames(LOCK_COLUMNS)}) JOIN host h ON h.id = r.id
  WHERE ${STANDS_AS_KNOWN} ORDER BY h.id FOR NO KEY UPDATE OF h) AS known`)

const REQUIRE_CREDENTIALS = statement(`
SELECT require_hosts_as_known(
  (SELECT count(*) FROM agent_credential c WHERE c.id = ANY($1::int[]) AND c.revoked_at IS NULL), cardinality($1::int[]))`)

/** To be sent when the hosts' rows are locked; the transaction fails with NOT_AS_KNOWN if a credential was revoked. */
export const requireCredentials = async (query: Query, hosts: readonly LockedHost[]): Promise<void> => {
  await query(REQUIRE_CREDENTIALS, pgColumns(hosts, [({ credentialId }) => credentialId]))
}

/** Locks hosts that are known to stand so; the transaction fails with NOT_AS_KNOWN if one does not. */
export const lockKnownHosts = async (query: Query, hosts: readonly LockedHost[]): Promise<void> => {
  if (hosts.length > 0) await query(LOCK_AS_KNOWN, pgColumns(hosts, [({ id }) => id, ...KNOWN_CELLS]))
}
