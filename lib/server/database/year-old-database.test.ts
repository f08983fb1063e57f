import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { scanHost } from '@/agent/scan/scan-host'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { type RestoredYear, restoreYear } from '@/lib/server/testing/restore-year'
import { createTestContext } from '@/lib/server/testing/test-database'
import { createTestRuntime } from '@/lib/server/testing/test-runtime'
import { describeApi } from '@/lib/services/api-description/describe-api'
import { openApiServer } from '@/lib/services/api-description/testing/api-server'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { listSteps } from '@/lib/services/change/change-rows'
import { getChange } from '@/lib/services/change/get-change'
import { createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { createTraitKeeper } from '@/lib/services/managed-trait/create-trait-keeper'
import { applyStoredDifferences } from '@/lib/services/report/apply-stored-differences'
import { readStoredInventory } from '@/lib/services/report/read-stored-inventory'
import { createTestConsole } from '@/lib/services/report/testing/test-console'
import { getReview } from '@/lib/services/review/get-review'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import answers from '@/simulator/year-old-database/answers.json' with { type: 'json' }
import { YEAR, YEAR_SECRET } from '@/simulator/year-old-database/year-dump'
import { type Database, openDatabase } from './database'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

/** Some minutes after its console stopped: the new one starts. */
const now = new Date(YEAR.end.getTime() + 10 * 60_000)

let year: RestoredYear
let database: Database
let openstack: OpenStackSimulator
let account: ServiceAccount
let migrated: readonly string[] = []
const folder = makeTemporaryDirectory('sliceboard-year-hosts-')
const ctx = () => createTestContext({ database, now: () => now, accounts: [account] })
const log = pino({ level: 'silent' })

const startCloud = async (): Promise<void> => {
  const { seed, hostCount } = YEAR
  const fleet = demoFleet({ seed, startAt: YEAR.end, hostCount })
  const world = openWorld({ fleet, seed, startAt: YEAR.end, directory: folder })
  openstack = await startOpenStack({ world, seed, now: () => now })
  account = createServiceAccount(
    testCloudConfig({ name: YEAR.cloud, authUrl: openstack.authUrl, account: DEMO_ACCOUNTS.service }),
  )
}

beforeAll(async () => {
  year = await restoreYear()
  database = await openDatabase({
    ...year.address,
    onMigrated: (names) => {
      migrated = names
    },
  })
  await applyStoredDifferences({ database, log })
  await startCloud()
})
afterAll(async () => {
  await account.close()
  await openstack.stop()
  await database.close()
  await year.remove()
  removeTree(folder)
})

test('the migrations that it lacks are applied', () => {
  expect(migrated[0]).toBe('20261126183000_plain_reports')
})

test('the audit chain verifies up to the same hash', async () => {
  const { entries, head, broken } = await verifyAudit(database.query)
  expect({ entries, head, broken }).toEqual({ ...answers.audit, broken: null })
})

const reviewRow = z.object({ id: z.int(), period: z.string(), fingerprint: z.string(), content: z.string() })
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('reviews are the same to the byte, and each opens with the fingerprint of its content', async () => {
  const reviews = await database.query(
    'SELECT id, period, fingerprint, content FROM review ORDER BY id',
    [],
    reviewRow,
  )
  const lines = reviews.map(({ id, period, fingerprint, content }) =>
    [id, period, fingerprint, content].join(' '),
  )
  expect({ count: reviews.length, sha256: sha256(lines.join('\n')) }).toEqual(answers.reviews)
  for (const { id, content, fingerprint } of reviews) {
    expect(sha256(content)).toBe(fingerprint)
    expect(await getReview(ctx(), { id })).toMatchObject({ frozen: { id, fingerprint } })
  }
})

test('the capacity of each day is what the release before answered', async () => {
  const { from, until, firstKnownAt, ...figures } = answers.capacity
  const query = { cloud: YEAR.cloud, by: 'all', key: null, host: null, address: null, points: 400 } as const
  const answered = await getCapacitySeries(ctx(), { ...query, from, until })
  expect(answered).toMatchObject({ firstKnownAt, series: [figures] })
  expect(figures.used.length).toBe(364)
})

const loadWhole = async (id: number) => {
  const { preview, input } = await getChange(ctx(), { id })
  return { preview, input, steps: await listSteps(database, id) }
}

test('a change of the past has its steps with their states, answers and times', async () => {
  const { steps, ...change } = answers.change
  const read = await getChange(ctx(), { id: change.id })
  expect(read).toMatchObject(change)
  expect(read.steps).toMatchObject(steps)
})

test('the plan, the input and every step of each change are read', async () => {
  const changes = await database.query('SELECT id FROM change ORDER BY id', [], z.object({ id: z.int() }))
  expect(changes.length).toBeGreaterThan(10)
  for (const { id } of changes) {
    const { preview, input, steps } = await loadWhole(id)
    expect(preview.kind, `change ${id}`).not.toBe('unreadable')
    expect(input, `change ${id}`).not.toBeNull()
    expect(steps.filter(({ body }) => body.task.kind === 'unreadable')).toEqual([])
  }
})

const storedRow = z.object({
  hostId: z.int(),
  name: z.string(),
  digest: z.string(),
  body: z.instanceof(Uint8Array),
})
const STORED = `
SELECT h.id AS "hostId", h.name, h.digest, i.body FROM host h JOIN host_inventory i ON i.host_id = h.id ORDER BY h.name`

test('stored differences become the inventory of the last report', async () => {
  const stored = await database.query(STORED, [], storedRow)
  expect(stored.length).toBe(YEAR.hostCount)
  for (const { hostId, digest, body } of stored)
    expect(inventoryDigest(await readStoredInventory({ hostId, body }))).toBe(digest)
  expect(await database.query('SELECT 1 FROM host_difference')).toEqual([])
})

const actorRow = z.object({
  hostId: z.int(),
  cloudId: z.int(),
  credentialId: z.int(),
  enrolment: z.int(),
  boot: z.int(),
  sequence: z.int(),
})
const ACTOR = `
SELECT h.id AS "hostId", h.cloud_id AS "cloudId", c.id AS "credentialId", h.enrolment, h.boot, h.sequence
FROM host h JOIN agent_credential c ON c.host_id = h.id AND c.enrolment = h.enrolment WHERE h.name = $1`

test('an agent of its hosts reports on from its position, and one from before it counts no more', async () => {
  const [host] = openstack.world.hosts
  if (host === undefined) throw new Error('the world has hosts')
  const { name, root } = host.living
  const [row] = await database.query(ACTOR, [name], actorRow)
  if (row === undefined) throw new Error(`${name} is enrolled`)
  const { boot, sequence, ...ids } = row
  const inventory = await scanHost({ root, hostName: name })
  const console = createTestConsole(database)
  const report = (position: { boot: number; sequence: number }) => ({
    actor: { kind: 'agent' as const, hostName: name, ...ids },
    inventory,
    position,
    receivedAt: now,
    takenAt: now,
  })
  expect(await console.deliver([report({ boot, sequence })])).toEqual([false])
  expect(await console.deliver([report({ boot, sequence: sequence + 1 })])).toEqual([true])
  const stored = (await database.query(STORED, [], storedRow)).find((one) => one.name === name)
  expect(stored?.digest).toBe(inventoryDigest(inventory))
})

const cloudRow = async () => {
  const { id } = await database.prisma.cloud.findUniqueOrThrow({ where: { name: YEAR.cloud } })
  return { id, name: YEAR.cloud, region: YEAR.region }
}

/** What varies in paths and required parameters, as this database has it. */
const VALUES: Readonly<Record<string, string>> = {
  host: 'cmp-r2-07',
  address: '0000:e7:00.0',
  q: 'cmp',
  format: 'csv',
  period: '2026-10',
  type: 'nvidia-320',
  delivery: '1',
  from: 'cmp-r6-01',
  id: '1',
}
/** Instead of those, where a path has its own ids or forms. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/v1/findings/{id}': { id: '3' },
  '/api/v1/changes/{id}/runbook': { format: 'md' },
  '/api/v1/reviews/{id}/export': { format: 'json' },
  '/api/v1/help-images/{name}': { name: 'overview-light.png' },
}
/** For people who signed in and tenants, and a scenario, which the database has none of; this test does not sign in. */
const OF_ACCOUNTS = [
  '/api/v1/api-tokens',
  '/api/v1/sessions',
  '/api/v1/session/scopes',
  '/api/v1/catalog',
  '/api/v1/own-servers',
  '/api/v1/own-servers/{uuid}',
  '/api/v1/server-choices',
  '/api/v1/scenarios/{id}',
  '/api/v1/own-requests',
]

const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean() })),
})

const targetOf = (template: string, operation: unknown): string => {
  const query = new URLSearchParams()
  let target = template
  for (const { name, in: where, required } of operationSchema.parse(operation).parameters) {
    const value = OTHERS[template]?.[name] ?? VALUES[name]
    if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value ?? flavorId))
    else if (required) query.set(name, value ?? '')
  }
  return query.size === 0 ? target : `${target}?${query}`
}

let flavorId = ''
const flavorsSchema = z.object({ flavors: z.array(z.object({ id: z.string() })) })

test('every page is answered, after a reading round of the cloud as before it', async () => {
  const runtime = {
    ...createTestRuntime({ database, now: () => now }),
    box: createSecretBox([YEAR_SECRET]),
    accounts: [account],
  }
  const api = await openApiServer(runtime)
  const get = (target: string) => api.send({ method: 'GET', target, body: null })
  const getAll = async () => {
    const { text } = await get('/api/v1/flavors')
    flavorId = flavorsSchema.parse(JSON.parse(text)).flavors[0]?.id ?? ''
    const answered: Record<string, number> = {}
    for (const [template, { get: operation }] of Object.entries(describeApi({ version: '1' }).paths)) {
      if (operation === undefined || OF_ACCOUNTS.includes(template)) continue
      const { status, text } = await get(targetOf(template, operation))
      expect(status, `${template}: ${text.slice(0, 400)}`).toBe(200)
      answered[template] = status
    }
    return Object.keys(answered).length
  }
  expect(await getAll()).toBeGreaterThan(55)
  const base = { database, cloud: await cloudRow(), log, now: () => now }
  const reading = createCloudReading({
    ...base,
    reader: createCloudReader({ account }),
    silentAfterSeconds: 120,
    staleAfterMs: 300_000,
    agentVersion: '0.1.0',
    keeper: createTraitKeeper({ ...base, placement: createPlacement({ account }) }),
  })
  await reading.readRound()
  expect(await getAll()).toBeGreaterThan(55)
  await api.close()
  await runtime.stop()
})
