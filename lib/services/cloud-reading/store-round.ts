import 'server-only'
import * as z from 'zod'
import { CLOUD_PARTS, type CloudPart } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { refusedServer } from '@/lib/domain/demand/refused-server'
import { haveSameRules, novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { ReadingRound, RoundCost } from '@/lib/openstack/reading/types'
import type { Database, Query } from '@/lib/server/database/database'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { encodePart } from './cloud-parts'
import { storeLimitChanges } from './store-limit-changes'
import { apiVersionsSchema, type StoredCost, storedCostSchema } from './stored-round'

// SQL: a bulk insert.
/** What is there already stays as it was seen first. */
const STORE = `
INSERT INTO refused_server (cloud_id, uuid, at, project_id, project_name, flavor_name, reason, said)
SELECT $1, r.uuid, r.at, r.project_id, r.project_name, r.flavor_name, r.reason, r.message
FROM unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
  AS r (uuid, at, project_id, project_name, flavor_name, reason, message)
ON CONFLICT DO NOTHING`

/** Keeps who was refused a GPU: Nova forgets it with the server. */
export const storeRefused = async (
  query: Query,
  {
    cloudId,
    round,
  }: { cloudId: number; round: Pick<ReadingRound, 'unplaced'> & { facts: Pick<CloudFacts, 'projects'> } },
): Promise<void> => {
  const { unplaced, facts } = round
  const refused = unplaced.map(refusedServer).filter((server) => server !== null)
  if (refused.length === 0) return
  const names = new Map((facts.projects.value ?? []).map(({ id, name }) => [id, name]))
  await query(STORE, [
    cloudId,
    refused.map(({ uuid }) => uuid),
    refused.map(({ at }) => at),
    refused.map(({ projectId }) => projectId),
    refused.map(({ projectId }) => names.get(projectId) ?? null),
    refused.map(({ flavorName }) => flavorName),
    refused.map(({ reason }) => reason),
    refused.map(({ message }) => message),
  ])
}

// SQL: bodies are megabytes, which Prisma's client copies; the number of the round grows in the upsert.
const STORE_PART = `
INSERT INTO cloud_part (cloud_id, part, body, items, at, error, failing_since) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (cloud_id, part) DO UPDATE SET body = excluded.body, items = excluded.items, at = excluded.at,
  error = excluded.error, failing_since = excluded.failing_since`

/** Updates only the metadata of an unchanged value. */
const MARK_PART = `
UPDATE cloud_part SET items = $3, at = $4, error = $5, failing_since = $6 WHERE cloud_id = $1 AND part = $2`

const STORE_ROUND = `
INSERT INTO cloud_round (cloud_id, number, started_at, took_ms, cost, notes, waiting_requests, versions)
VALUES ($1, 1, $2, $3, $4::jsonb, $5, $6, $7::jsonb)
ON CONFLICT (cloud_id) DO UPDATE SET number = cloud_round.number + 1, started_at = excluded.started_at,
  took_ms = excluded.took_ms, cost = excluded.cost, notes = excluded.notes,
  waiting_requests = excluded.waiting_requests, versions = excluded.versions
RETURNING number`
const numberRow = z.object({ number: z.int() })

const withLastErrors = (
  cost: readonly RoundCost[],
  before: readonly StoredCost[],
  at: string,
): StoredCost[] =>
  cost.map((entry) => {
    const known = before.find(({ service }) => service === entry.service)
    return entry.error === null
      ? { ...entry, lastError: known?.lastError ?? null, lastErrorAt: known?.lastErrorAt ?? null }
      : { ...entry, lastError: entry.error, lastErrorAt: at }
  })

type Write = (query: Query) => Promise<unknown>

/** Limits count with the default of each class and with those of projects; without the latter their number is not known. */
const countItems = (value: CloudFacts[CloudPart]['value']): number | null => {
  if (value === null) return null
  if (!('registered' in value)) return value.length
  return value.project === null ? null : value.registered.length + value.project.length
}

/** Parts whose value is that of the round before, which the round keeps, are neither encoded nor written again. */
const writesOf = async (cloudId: number, facts: CloudFacts, previous: CloudFacts | null): Promise<Write[]> =>
  Promise.all(
    CLOUD_PARTS.map(async (part): Promise<Write> => {
      const { value, at, error, failingSince } = facts[part]
      const items = countItems(value)
      if (value !== null && previous?.[part].value === value)
        return (query) => query(MARK_PART, [cloudId, part, items, at, error, failingSince])
      const body = value === null ? null : await encodePart(value)
      return (query) => query(STORE_PART, [cloudId, part, body, items, at, error, failingSince])
    }),
  )

/** Writes what a round changed, all or nothing; answers its number. */
export const storeRound = async (
  database: Database,
  input: {
    cloudId: number
    /** The facts that stand in the database, as the reader was given them; null: none. */
    previous: CloudFacts | null
    round: ReadingRound
    startedAt: Date
    tookMs: number
  },
): Promise<number> => {
  const { cloudId, previous, round, startedAt, tookMs } = input
  const writes = await writesOf(cloudId, round.facts, previous)
  return database.transaction(async ({ prisma, query }) => {
    const before = await prisma.cloudRound.findUnique({
      where: { cloudId },
      select: { cost: true, versions: true },
    })
    const costBefore = storedCostSchema.parse(before?.cost ?? [])
    for (const write of writes) await write(query)
    // Of an incomplete list it is unknown which limits are gone.
    const limits = isIncomplete(round.facts.limits) ? null : round.facts.limits.value
    await storeLimitChanges(query, { cloudId, limits, at: startedAt })
    await storeRefused(query, { cloudId, round })
    const cost = withLastErrors(round.cost, costBefore, startedAt.toISOString())
    const [stored] = await query(
      STORE_ROUND,
      [
        cloudId,
        startedAt,
        Math.round(tookMs),
        JSON.stringify(cost),
        [...round.notes],
        round.waitingRequests,
        JSON.stringify(round.facts.versions),
      ],
      numberRow,
    )
    if (stored === undefined) throw new Error('the round was not stored')
    const versions = apiVersionsSchema.parse(before?.versions ?? {})
    if (!haveSameRules(novaRange(versions.nova), novaRange(round.facts.versions.nova)))
      // Agents then send their report again, and the host is described by the rules of the other release.
      await prisma.host.updateMany({ where: { cloudId, digest: { not: null } }, data: { digest: null } })
    return stored.number
  })
}
