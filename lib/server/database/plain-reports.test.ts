import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { readMigrations } from './read-migrations'

const NAME = '20261126183000_plain_reports'

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** As the release before stores it: the hash of a type covers its text, that of a set the ids of its types. */
const TYPES = ['nvidia-222', 'nvidia-223', 'nvidia-319'].map((typeId) => digestOf(typeId))

const BEFORE = `
INSERT INTO cloud (id, name) VALUES (7, 'c');
INSERT INTO host (id, cloud_id, name, removed_at) VALUES (1, 7, 'cmp-1', NULL), (2, 7, 'cmp-2', NULL), (3, 7, 'cmp-3', now());
INSERT INTO vgpu_type (id, hash, type_id) VALUES
  (11, '${TYPES[0]}', 'nvidia-222'), (12, '${TYPES[1]}', 'nvidia-223'), (13, '${TYPES[2]}', 'nvidia-319');
INSERT INTO vgpu_type_set (id, hash, vgpu_type_ids) VALUES
  (21, '${digestOf('13,11')}', '{13,11}'), (22, '${digestOf('12')}', '{12}'), (23, '${digestOf('')}', '{}');
INSERT INTO pgpu (id, host_id, address, model, framework, type_id, type_set_id, available, used) VALUES
  (31, 1, '0000:61:00.0', 'T4', 'mdev', 13, 21, '{1,2}', 3);
INSERT INTO virtual_function (pgpu_id, address) VALUES (31, '0000:61:00.4');
INSERT INTO guest (host_id, uuid, name, state, user_name, pgpu_addresses) VALUES (1, 'u', 'g', 'running', 'ada', '{}');
INSERT INTO problem (host_id, source, code, message) VALUES
  (1, '/b', 'io', 'second "quoted"'), (1, '/a', 'permission', 'first'), (3, 'clock', 'clock', 'off');`

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
  const migrations = await readMigrations(join(rootDirectory(), 'prisma', 'migrations'))
  const index = migrations.findIndex(({ name }) => name === NAME)
  for (const { sql } of migrations.slice(0, index)) await client.exec(sql)
  await client.exec(BEFORE)
  for (const { sql } of migrations.slice(index)) await client.exec(sql)
})
afterAll(() => client.close())

const rows = async (sql: string) => (await client.query(sql)).rows

test('unread sources become a list in the row of their host, in their order', async () => {
  expect(await rows('SELECT id, problems FROM host ORDER BY id')).toEqual([
    {
      id: 1,
      problems: [
        { source: '/b', code: 'io', message: 'second "quoted"' },
        { source: '/a', code: 'permission', message: 'first' },
      ],
    },
    { id: 2, problems: [] },
    { id: 3, problems: [{ source: 'clock', code: 'clock', message: 'off' }] },
  ])
  expect(await rows('SELECT id, jsonb_array_length(problems) AS n FROM current_host ORDER BY id')).toEqual([
    { id: 1, n: 2 },
    { id: 2, n: 0 },
  ])
})

test('sets of types keep their ids and have the hash that follows from a report', async () => {
  expect(await rows('SELECT id, hash FROM vgpu_type_set ORDER BY id')).toEqual([
    { id: 21, hash: digestOf([TYPES[2], TYPES[0]].join()) },
    { id: 22, hash: digestOf(TYPES[1] ?? '') },
    { id: 23, hash: digestOf('') },
  ])
})

test('pGPUs and guests keep what lists read', async () => {
  expect(await rows('SELECT host_id, address, type_id, type_set_id, used FROM pgpu')).toEqual([
    { host_id: 1, address: '0000:61:00.0', type_id: 13, type_set_id: 21, used: 3 },
  ])
  expect(await rows('SELECT host_id, uuid, name, user_name FROM guest')).toEqual([
    { host_id: 1, uuid: 'u', name: 'g', user_name: 'ada' },
  ])
})
