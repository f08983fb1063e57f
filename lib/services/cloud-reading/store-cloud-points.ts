import 'server-only'
import { advertisedOf } from '@/lib/domain/cloud/advertised'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { CLOUD_FINDINGS } from '@/lib/domain/findings/cloud/registry'
import type { Finding } from '@/lib/domain/findings/finding'
import { strandedOf } from '@/lib/domain/fit/stranded'
import type { Database } from '@/lib/server/database/database'
import { retryDeadlock } from '@/lib/server/database/deadlock'
import { pgArray } from '@/lib/server/database/pg-array'
import { idRow } from '@/lib/server/database/row'
import { inSlices } from '@/lib/util/in-slices'

/** What the history keeps of a word. */
const COLUMNS = [
  'advertised',
  'advertised_used',
  'stranded',
  'service_state',
  'aggregates',
  'stranded_because',
] as const
const columnsOf = (row: string): string => COLUMNS.map((name) => `${row}.${name}`).join(', ')

/** What lists show of it. */
const SHOWN = [...COLUMNS, 'traits', 'finding_code', 'finding_severity', 'finding'] as const
const shownOf = (row: string): string => SHOWN.map((name) => `${row}.${name}`).join(', ')

/** A row's moment in the history: the round's, but after the pGPU's earlier rows, since consoles' clocks differ. */
const momentOf = (
  row: string,
): string => `greatest($3::timestamptz, (SELECT max(e.at) + interval '1 millisecond'
    FROM pgpu_cloud_change e WHERE e.host_id = ${row}.host_id AND e.address = ${row}.address))`

// SQL: one statement compares and stores all pGPUs of a round.
/** Rows that differ from the stored ones, and rows of removed cards; the history has both. */
const STORE = `
WITH reported AS (
  SELECT h.id AS host_id, n.* FROM jsonb_to_recordset($2::jsonb) AS n (
    host text, address text, advertised int, advertised_used int, stranded int, service_state text,
    aggregates text[], stranded_because text, traits text[], finding_code text, finding_severity text, finding text)
  JOIN current_host h ON h.cloud_id = $1 AND h.name = n.host
), gone AS (
  DELETE FROM pgpu_cloud c USING current_host h WHERE h.id = c.host_id AND h.cloud_id = $1
    AND NOT EXISTS (SELECT 1 FROM reported t WHERE t.host_id = c.host_id AND t.address = c.address)
  RETURNING c.host_id, c.address
), left_behind AS (
  INSERT INTO pgpu_cloud_change (host_id, address, at)
  SELECT g.host_id, g.address, ${momentOf('g')} FROM gone g
), moved AS (
  INSERT INTO pgpu_cloud_change (host_id, address, at, ${COLUMNS.join(', ')})
  SELECT t.host_id, t.address, ${momentOf('t')}, ${columnsOf('t')}
  FROM reported t LEFT JOIN pgpu_cloud c ON c.host_id = t.host_id AND c.address = t.address
  WHERE c.host_id IS NULL OR (${columnsOf('t')}) IS DISTINCT FROM (${columnsOf('c')})
), stored AS (
  INSERT INTO pgpu_cloud (host_id, address, ${SHOWN.join(', ')})
  SELECT host_id, address, ${SHOWN.join(', ')} FROM reported
  ON CONFLICT (host_id, address) DO UPDATE SET ${SHOWN.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE (${shownOf('pgpu_cloud')}) IS DISTINCT FROM (${shownOf('excluded')})
  RETURNING host_id
)
SELECT host_id AS id FROM stored UNION SELECT host_id FROM gone`
/** Fleet snapshots find what changed by this mark. Hosts are locked in the order of their ids, and only those that changed. */
const MARK = `
WITH changed AS (SELECT id FROM host WHERE id = ANY($1::int[]) ORDER BY id FOR NO KEY UPDATE)
UPDATE host SET changed_xid = pg_current_xact_id()::text::bigint FROM changed WHERE host.id = changed.id`

const serviceStateOf = ({ service }: JoinedHost): string => {
  if (service.value === null) return 'unknown'
  const { status, state, isForcedDown } = service.value
  if (status === 'disabled') return 'disabled'
  return isForcedDown ? 'down' : state
}

/** The first is the most urgent; findings from the host's own facts are in the host's own row. */
const urgentByPgpu = (findings: readonly Finding[]): Map<string, Finding> => {
  const urgent = new Map<string, Finding>()
  for (const finding of findings) {
    const { subject, code } = finding
    if (subject.kind !== 'pgpu' || !(code in CLOUD_FINDINGS)) continue
    const key = `${subject.host} ${subject.address}`
    if (!urgent.has(key)) urgent.set(key, finding)
  }
  return urgent
}

const wordOf = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu) => {
  const advertised = advertisedOf(fleet, joined, entry)
  const stranded = strandedOf(fleet, joined, entry)
  return {
    host: joined.host.name,
    address: entry.pgpu.address,
    advertised: advertised.total.value,
    advertised_used: advertised.used.value,
    stranded: stranded.value,
    stranded_because: stranded.because,
    service_state: serviceStateOf(joined),
    aggregates:
      hostAggregates(fleet, joined)
        ?.map(({ name }) => name)
        .toSorted() ?? null,
    traits: advertised.traits,
  }
}

function* wordsInSteps(fleet: Fleet, findings: readonly Finding[]) {
  const urgent = urgentByPgpu(findings)
  const words = []
  for (const joined of fleet.hosts) {
    for (const entry of joined.pgpus) {
      const word = wordOf(fleet, joined, entry)
      const finding = urgent.get(`${word.host} ${word.address}`)
      words.push({
        ...word,
        finding_code: finding?.code ?? null,
        finding_severity: finding?.severity ?? null,
        finding: finding?.sentence ?? null,
      })
    }
    yield
  }
  return words
}

/** Stores what the cloud reports of each pGPU, for lists and sums, and its changes permanently. `findings`: most urgent first. */
export const storeCloudPoints = async (
  database: Database,
  { cloudId, fleet, findings, at }: { cloudId: number; fleet: Fleet; findings: readonly Finding[]; at: Date },
): Promise<void> => {
  const words = await inSlices(wordsInSteps(fleet, findings))
  const store = (): Promise<void> =>
    database.transaction(async ({ query }) => {
      const changed = await query(STORE, [cloudId, JSON.stringify(words), at], idRow)
      if (changed.length > 0) await query(MARK, [pgArray(changed.map(({ id }) => id))])
    })
  // The database may lock the hosts that a group of reports updates in any order.
  return retryDeadlock(store)
}
