import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram, type Child, type ChildProgram } from '@/lib/server/testing/child-program'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import {
  findPostgresBinaries,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@/lib/server/testing/private-postgres'

const binaries = findPostgresBinaries()

let program: ChildProgram
let postgres: PrivatePostgres
let folder: string
const children: Child[] = []

beforeAll(async () => {
  if (binaries === null) return
  program = await bundleProgram('lib/server/testing/programs/serve.ts')
  postgres = await startPrivatePostgres(binaries)
  folder = await mkdtemp(join(tmpdir(), 'sliceboard-secrets-'))
  await onAdminConnection(postgres.url, 'CREATE DATABASE replicas')
})
afterAll(async () => {
  if (binaries === null) return
  await Promise.all(children.map((child) => child.kill('SIGKILL')))
  await postgres.stop()
  await program.remove()
  await rm(folder, { recursive: true, force: true })
})

const replica = (name: string, secret: string): Child => {
  const child = program.start([], {
    DATABASE_URL: withDatabaseName(postgres.url, 'replicas'),
    SLICEBOARD_DATA_DIR: join(folder, name),
    SLICEBOARD_PORT: '0',
    SLICEBOARD_OPENSTACK: 'off',
    SLICEBOARD_SECRET: secret,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  })
  children.push(child)
  return child
}

test.skipIf(binaries === null)('a second replica with another secret refuses to start', async () => {
  const first = replica('a', 'a'.repeat(40))
  await first.line(/listens on/)
  const second = replica('b', 'b'.repeat(40))
  const exitCode = await new Promise((resolve) => second.process.once('close', resolve))
  expect(exitCode).toBe(1)
  expect(second.errors.join('\n')).toMatch(/\/replicas was set up with another secret/)
  const third = replica('c', 'a'.repeat(40))
  await third.line(/listens on/)
})
