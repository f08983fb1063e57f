import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { readMigrations } from './read-migrations'

const NAME = '20261128110000_plain_findings'

/** As the release before stores it. */
const BODY = {
  code: 'orphan-mdevs',
  sentence: '2 orphaned mdevs',
  blame: 'hardware',
  evidence: [
    { source: 'hardware', said: '2 mdevs', at: null },
    { source: 'nova', said: 'no server', at: '2026-11-28T10:00:00.000Z' },
  ],
}

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
  const migrations = await readMigrations(join(rootDirectory(), 'prisma', 'migrations'))
  const index = migrations.findIndex(({ name }) => name === NAME)
  for (const { sql } of migrations.slice(0, index)) await client.exec(sql)
  await client.exec(`INSERT INTO cloud (id, name) VALUES (7, 'c')`)
  const insert = `
    INSERT INTO finding (cloud_id, key, code, severity, subject_kind, body, opened_at, changed_at, acknowledged_by, acknowledged_at, note)
    VALUES (7, $1, 'orphan-mdevs', 'warning', 'cloud', $2, now(), now(), 'user:anna', now(), 'known')`
  await client.query(insert, ['a', BODY])
  await client.query(insert, ['b', { ...BODY, blame: null, evidence: [] }])
  for (const { sql } of migrations.slice(index)) await client.exec(sql)
})
afterAll(() => client.close())

test('stored findings get the new names, and keep their acknowledgement', async () => {
  const { rows } = await client.query('SELECT body, acknowledged_by, note FROM finding ORDER BY key')
  const { blame: _, evidence: __, ...rest } = BODY
  expect(rows).toEqual([
    {
      body: {
        ...rest,
        sourceToCorrect: 'hardware',
        evidence: [
          { source: 'hardware', reported: '2 mdevs', at: null },
          { source: 'nova', reported: 'no server', at: '2026-11-28T10:00:00.000Z' },
        ],
      },
      acknowledged_by: 'user:anna',
      note: 'known',
    },
    { body: { ...rest, sourceToCorrect: null, evidence: [] }, acknowledged_by: 'user:anna', note: 'known' },
  ])
})
