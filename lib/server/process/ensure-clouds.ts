import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Database, Query } from '../database/database'

type NewCloud = { name: string; region: string | null }

const insertCloud = async (query: Query, { name, region }: NewCloud, now: Date): Promise<void> => {
  await query('INSERT INTO cloud (name, region, created_at) VALUES ($1, $2, $3::timestamptz)', [
    name,
    region,
    now,
  ])
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
const lockClouds = async (query: Query): Promise<Set<string>> => {
  await query('LOCK TABLE cloud IN SHARE ROW EXCLUSIVE MODE')
  const rows = await query('SELECT name FROM cloud', [], uncheckedRow<{ name: string }>())
  return new Set(rows.map(({ name }) => name))
}

/** Makes the first cloud of an empty database; afterwards the settings have no say. */
export const ensureFirstCloud = ({
  database,
  name,
  region,
  now,
}: NewCloud & { database: Database; now: Date }): Promise<void> =>
  database.transaction(async ({ query }) => {
    const known = await lockClouds(query)
    if (known.size === 0) await insertCloud(query, { name, region }, now)
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
  database.transaction(async ({ query }) => {
    const known = await lockClouds(query)
    for (const cloud of clouds) if (!known.has(cloud.name)) await insertCloud(query, cloud, now)
  })
