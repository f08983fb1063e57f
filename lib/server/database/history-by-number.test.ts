import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { readMigrations } from './read-migrations'

const NAME = '20261122220000_history_by_number'
const UUID = '0b5c7a51-53f4-4a0c-9d59-2f9f3f1d7a10'

/** Rows as they were stored before: in a monthly partition and in the default one, with and without texts. */
const BEFORE = `
INSERT INTO cloud (id, name) VALUES (7, 'c');
INSERT INTO host (id, cloud_id, name) VALUES (1, 7, 'cmp-1');
CREATE TABLE pgpu_change_2026_11 PARTITION OF pgpu_change FOR VALUES FROM ('2026-11-01T00:00Z') TO ('2026-12-01T00:00Z');
CREATE TABLE guest_change_2026_11 PARTITION OF guest_change FOR VALUES FROM ('2026-11-01T00:00Z') TO ('2026-12-01T00:00Z');
INSERT INTO pgpu_change VALUES
  (1, '0000:61:00.0', 1, 1, 1, '2026-10-02T03:04:05.678Z', 'nvidia-222', 'A40-4Q', 'NVIDIA A40', 'mdev', 12, 3, 9, 0, 0, 9),
  (1, '0000:61:00.0', 1, 1, 2, '2026-11-02T03:04:05.678Z', 'nvidia-222', NULL, NULL, 'mdev', 12, NULL, NULL, 0, 0, 9),
  (1, '0000:62:00.0', 1, 2, 1, '2026-11-02T03:04:05.678Z', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '0000:62:00.0', 1, 2, 2, '2026-11-02T03:04:05.678Z', 'nvidia-222', 'A40-4Q', 'NVIDIA A40', 'mdev', 12, 3, 9, 0, 0, 9);
INSERT INTO guest_change VALUES
  (1, '${UUID}', 1, 1, 1, '2026-10-02T03:04:05.678Z', 'a "quoted", name', 'vgpu.small', 'p1', 'Alpha', '{a,a}', '{"",nvidia-222}'),
  (1, '${UUID}', 1, 1, 2, '2026-11-02T03:04:05.678Z', '', NULL, NULL, NULL, '{}', '{}');
DELETE FROM roll_up_mark;`

const READ_HISTORY = (pgpus: string, guests: string): string => `
SELECT (SELECT json_agg(to_jsonb(c) ORDER BY c.at, c.boot, c.sequence)::text FROM ${pgpus} c) AS pgpus,
  (SELECT json_agg(to_jsonb(c) ORDER BY c.at, c.boot, c.sequence)::text FROM ${guests} c) AS guests`

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
})
afterAll(() => client.close())

test('rows that were stored with their texts are read as before, and stay in their months', async () => {
  const migrations = await readMigrations(join(rootDirectory(), 'prisma', 'migrations'))
  const index = migrations.findIndex(({ name }) => name === NAME)
  for (const { sql } of migrations.slice(0, index)) await client.exec(sql)
  await client.exec(BEFORE)
  const before = await client.query(READ_HISTORY('pgpu_change', 'guest_change'))
  for (const { sql } of migrations.slice(index)) await client.exec(sql)
  const after = await client.query(READ_HISTORY('pgpu_history', 'guest_history'))
  expect(after.rows).toEqual(before.rows)
  const count = `SELECT (SELECT count(*)::int FROM pgpu_change_2026_11) AS pgpus,
    (SELECT count(*)::int FROM guest_change_default) AS guests, (SELECT count(*)::int FROM pgpu_point) AS points,
    (SELECT count(*)::int FROM roll_up_mark) AS marks`
  expect((await client.query(count)).rows).toEqual([{ pgpus: 3, guests: 1, points: 3, marks: 0 }])
})
