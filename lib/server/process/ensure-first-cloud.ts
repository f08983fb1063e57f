import 'server-only'
import { writeAudit } from '../audit'
import type { Database } from '../database/database'

/** Makes the first cloud of an empty database; afterwards the settings have no say. Replicas may start together. */
export const ensureFirstCloud = ({
  database,
  name,
  region,
  now,
}: {
  database: Database
  name: string
  region: string | null
  now: Date
}): Promise<void> =>
  database.transaction(async (query) => {
    await query('LOCK TABLE cloud IN SHARE ROW EXCLUSIVE MODE')
    const existing = await query('SELECT 1 FROM cloud LIMIT 1')
    if (existing.length > 0) return
    await query('INSERT INTO cloud (name, region, created_at) VALUES ($1, $2, $3::timestamptz)', [
      name,
      region,
      now,
    ])
    await writeAudit(query, {
      at: now,
      actor: { kind: 'system' },
      action: 'cloud.create',
      subject: `cloud:${name}`,
      before: null,
      after: { name, region },
    })
  })
