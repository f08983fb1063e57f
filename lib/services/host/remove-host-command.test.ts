import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '@/lib/server/database/database'
import { addCloud, writeHost } from '@/lib/services/testing/fleet-rows'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'

vi.setConfig({ testTimeout: 240_000 })

const folder = makeTemporaryDirectory('sliceboard-command-')
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...words: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const command = ['--import', 'tsx', 'scripts/remove-host.ts', ...words]
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      TSX_TSCONFIG_PATH: 'tsconfig.server.json',
      SLICEBOARD_DATA_DIR: folder,
    }
    const { DATABASE_URL: _, ...given } = env
    execFile(process.execPath, command, { env: given }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${out}${err}` })
    })
  })

const withDatabase = async <T>(use: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) => {
  const database = await openDatabase({ databaseUrl: null, dataDirectory: folder })
  return use(database).finally(() => database.close())
}

test('the command removes hosts of a stopped console, and states why it does not', async () => {
  await withDatabase(async (database) => {
    const cloudId = await addCloud(database, 'paris')
    for (const name of ['cmp-01', 'cmp-02'])
      await writeHost(database, { cloudId, name, pgpus: [], seenAt: new Date('2026-01-01T00:00:00Z') })
    await writeHost(database, { cloudId, name: 'cmp-03', pgpus: [] })
  })
  const words = ['--cloud', 'paris', '--reason', 'scrapped']
  expect((await run(...words, 'cmp-09')).output).toBe(
    'Cloud "paris" has no host named cmp-09. Check the name.\n',
  )
  expect(await run('--help')).toEqual({
    code: 0,
    output: 'Usage: npm run host:remove -- --cloud CLOUD --reason REASON [--force] HOST…\n',
  })
  const removed = await run(...words, 'cmp-01', 'CMP-02')
  expect(removed.code).toBe(0)
  expect(removed.output).toMatch(/cmp-0[12] was removed at .*: scrapped\ncmp-0[12] was removed/)
  await withDatabase(async ({ query }) => {
    expect(await query('SELECT name FROM current_host')).toEqual([{ name: 'cmp-03' }])
    expect(
      await query(`SELECT actor, subject FROM audit_entry WHERE action = 'host.remove' ORDER BY subject`),
    ).toEqual([
      { actor: 'system', subject: 'host:cmp-01' },
      { actor: 'system', subject: 'host:cmp-02' },
    ])
  })
})
