import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Connection, Database } from '../database/database'

type NewCloud = { name: string; region: string | null }

const insertCloud = async (
  { query, prisma }: Connection,
  { name, region }: NewCloud,
  now: Date,
): Promise<void> => {
  await prisma.cloud.create({ data: { name, region, createdAt: now } })
  await writeAudit(query, {
    at: now,
    actor: { kind: 'system' },
    cloud: name,
    action: 'cloud.create',
    subject: `cloud:${name}`,
    before: null,
    after: { name, region },
  })
}

/** The names that the database knows; replicas that start together wait for each other here. */
const lockClouds = async ({ query, prisma }: Connection): Promise<Set<string>> => {
  // SQL: Prisma has no locks.
  await query('LOCK TABLE cloud IN SHARE ROW EXCLUSIVE MODE')
  const rows = await prisma.cloud.findMany({ select: { name: true } })
  return new Set(rows.map(({ name }) => name))
}

/** Creates the first cloud of an empty database; afterwards the settings have no effect. */
export const ensureFirstCloud = ({
  database,
  name,
  region,
  now,
}: NewCloud & { database: Database; now: Date }): Promise<void> =>
  database.transaction(async (connection) => {
    const known = await lockClouds(connection)
    if (known.size === 0) await insertCloud(connection, { name, region }, now)
  })

/** Every cloud that people can sign in to is known by its name. */
export const ensureClouds = ({
  database,
  clouds,
  now,
}: {
  database: Database
  clouds: readonly NewCloud[]
  now: Date
}): Promise<void> =>
  database.transaction(async (connection) => {
    const known = await lockClouds(connection)
    for (const cloud of clouds) if (!known.has(cloud.name)) await insertCloud(connection, cloud, now)
  })
