import 'server-only'
import * as z from 'zod'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { CloudFacts, PartReading } from '@/lib/domain/cloud/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Database, Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { decodePart, neverRead } from './cloud-parts'
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

const partOf = async <Part extends CloudPart>(
  part: Part,
  { rows, now }: { rows: readonly PartRow[]; now: Date },
): Promise<PartReading<PartValue<Part>>> => {
  const row = rows.find((one) => one.part === part)
  if (row === undefined) return neverRead(now)
  const { error, failingSince } = row
  const decoded = row.body === null ? null : await decodePart(part, row.body)
  if (decoded === null || row.at === null)
    return failingSince === null || error === null
      ? neverRead(now)
      : { value: null, at: null, error, failingSince: failingSince.toISOString() }
  return {
    value: decoded,
    at: row.at.toISOString(),
    error,
    failingSince: failingSince?.toISOString() ?? null,
  }
}

type StoredFacts = { facts: CloudFacts; roundNumber: number }

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
    providers: await partOf('providers', stored),
    allocations: await partOf('allocations', stored),
    services: await partOf('services', stored),
    hypervisors: await partOf('hypervisors', stored),
    servers: await partOf('servers', stored),
    migrations: await partOf('migrations', stored),
    flavors: await partOf('flavors', stored),
    aggregates: await partOf('aggregates', stored),
    limits: await partOf('limits', stored),
    projects: await partOf('projects', stored),
    networkAgents: await partOf('networkAgents', stored),
  }
  return { facts, roundNumber: round.number }
}

const KEY = Symbol.for('sliceboard.cloud-facts')
type Cache = WeakMap<Database, Map<number, StoredFacts>>

// Next's bundles each load their own copy of this module; globalThis is what they share, so facts are held once.
const holder = globalThis as { [KEY]?: Cache }

const storedByCloud = (database: Database): Map<number, StoredFacts> => {
  holder[KEY] ??= new WeakMap()
  const stored = holder[KEY].get(database) ?? new Map<number, StoredFacts>()
  holder[KEY].set(database, stored)
  return stored
}

/** Keeps what a round of this process has stored, so that the next request neither loads nor decodes it. */
export const keepFacts = (database: Database, cloud: Cloud, stored: StoredFacts): void => {
  storedByCloud(database).set(cloud.id, stored)
}

/** The last data from OpenStack for a cloud; null before the first round. For services that have checked the permission. */
export const factsOfCloud = async (
  ctx: Pick<ServiceContext, 'database' | 'now'>,
  cloud: Cloud,
): Promise<StoredFacts | null> => {
  const round = await ctx.database.prisma.cloudRound.findUnique({
    where: { cloudId: cloud.id },
    select: { number: true },
  })
  if (round === null) return null
  const known = storedByCloud(ctx.database).get(cloud.id)
  if (known?.roundNumber === round.number) return known
  const stored = await loadCloudFacts(ctx.database.query, { cloud, now: ctx.now() })
  if (stored !== null) keepFacts(ctx.database, cloud, stored)
  return stored
}

/** The facts of a cloud that was never read: the reports of its hosts are used without it. */
export const neverReadFacts = (ctx: ServiceContext, cloud: Cloud): CloudFacts => {
  const nothing = neverRead(ctx.now())
  return {
    cloud: cloud.name,
    region: cloud.region,
    versions: { nova: null, placement: null, keystone: null },
    providers: nothing,
    allocations: nothing,
    services: nothing,
    hypervisors: nothing,
    servers: nothing,
    migrations: nothing,
    flavors: nothing,
    aggregates: nothing,
    limits: nothing,
    projects: nothing,
    networkAgents: nothing,
  }
}
