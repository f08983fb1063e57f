import 'server-only'
import * as z from 'zod'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { CloudFacts, Spoken } from '@/lib/domain/cloud/types'
import type { Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { decodePart, neverHeard } from './cloud-parts'
import type { PartValue } from './part-schemas'
import { apiVersionsSchema } from './stored-round'

// SQL: bodies are megabytes, which Prisma's client copies.
const LOAD = `SELECT part, body, at, error, failing_since AS "failingSince" FROM cloud_part WHERE cloud_id = $1`
const partRow = z.object({
  part: z.string(),
  body: bytesColumn.nullable(),
  at: z.date().nullable(),
  error: z.string().nullable(),
  failingSince: z.date().nullable(),
})
type PartRow = z.infer<typeof partRow>

const LAST_ROUND = `SELECT number, versions FROM cloud_round WHERE cloud_id = $1`
const roundRow = z.object({ number: z.int(), versions: apiVersionsSchema })

const spokenOf = async <Part extends CloudPart>(
  part: Part,
  { rows, now }: { rows: readonly PartRow[]; now: Date },
): Promise<Spoken<PartValue<Part>>> => {
  const row = rows.find((one) => one.part === part)
  if (row === undefined) return neverHeard(now)
  const { error, failingSince } = row
  const decoded = row.body === null ? null : await decodePart(part, row.body)
  if (decoded === null || row.at === null)
    return failingSince === null || error === null
      ? neverHeard(now)
      : { value: null, at: null, error, failingSince: failingSince.toISOString() }
  return {
    value: decoded,
    at: row.at.toISOString(),
    error,
    failingSince: failingSince?.toISOString() ?? null,
  }
}

export type StoredFacts = { facts: CloudFacts; roundNumber: number }

/** The last facts of a cloud's services; null before its first reading round. */
export const loadCloudFacts = async (
  query: Query,
  { cloud, now }: { cloud: Cloud; now: Date },
): Promise<StoredFacts | null> => {
  const [round] = await query(LAST_ROUND, [cloud.id], roundRow)
  if (round === undefined) return null
  const stored = { rows: await query(LOAD, [cloud.id], partRow), now }
  const facts: CloudFacts = {
    cloud: cloud.name,
    region: cloud.region,
    versions: round.versions,
    providers: await spokenOf('providers', stored),
    allocations: await spokenOf('allocations', stored),
    services: await spokenOf('services', stored),
    hypervisors: await spokenOf('hypervisors', stored),
    servers: await spokenOf('servers', stored),
    migrations: await spokenOf('migrations', stored),
    flavors: await spokenOf('flavors', stored),
    aggregates: await spokenOf('aggregates', stored),
    limits: await spokenOf('limits', stored),
    projects: await spokenOf('projects', stored),
    networkAgents: await spokenOf('networkAgents', stored),
  }
  return { facts, roundNumber: round.number }
}
