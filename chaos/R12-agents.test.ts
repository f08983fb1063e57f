import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import { reportJson } from '@/lib/server/agent-api/testing/agent-console'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'

const { agents, database, begin } = createAgentWorld()

/** As the agents of the contract's first form send it: members that came later are absent, not null. */
const firstForm = t4SeedHost
/** The same host as today's agents tell of it. */
const todaysForm = (): Inventory => {
  const { host, gpus, ...rest } = t4SeedHost()
  return {
    ...rest,
    host: { ...host, allowedCommands: [], novaCompute: null, novaApi: null },
    gpus: gpus.map((gpu) => ({ ...gpu, iommuGroupDevices: [] })),
  }
}

const position = { boot: 1, sequence: 1 }
const NUMBERS = `
SELECT p.address, p.capacity, p.used, p.spare, p.orphan, p.creatable, t.type_id AS "typeId"
FROM pgpu p LEFT JOIN vgpu_type t ON t.id = p.type_id ORDER BY p.address`

test('an agent of the first form of the contract is read: same pGPUs, same numbers', async () => {
  const now = await agents().enrolled()
  const today = reportJson({ inventory: todaysForm(), position })
  expect((await agents().report(now, today)).status).toBe(200)
  const expected = await database().query(NUMBERS)
  expect(expected).toHaveLength(8)

  await begin()
  const then = await agents().enrolled()
  const first = reportJson({ inventory: firstForm(), position, agentVersion: '0.0.1' })
  expect((await agents().report(then, first)).status).toBe(200)
  expect(await database().query(NUMBERS)).toEqual(expected)
})

/** The same host as an agent of the next release reports it: unknown members, everywhere. */
const nextForm = (): Inventory => {
  const { host, gpus, ...rest } = t4SeedHost()
  return {
    ...rest,
    host: { ...host, ofTheNextRelease: { deep: [1, { down: true }] } },
    gpus: gpus.map((gpu) => ({ ...gpu, powerLimit: 70 })),
    fabric: [{ switch: 0 }],
  } as Inventory
}
const NEXT = { contractRevision: CONTRACT_REVISION + 1, agentVersion: '9.0.0' }

test('an agent of the next release is read without what is not known: same pGPUs, same numbers', async () => {
  const now = await agents().enrolled('cmp-now')
  const { host, ...rest } = t4SeedHost()
  const named = { ...rest, host: { ...host, name: 'cmp-now' } }
  expect((await agents().report(now, reportJson({ inventory: named, position }))).status).toBe(200)
  const expected = await database().query(NUMBERS)
  await begin()

  const inventory = nextForm()
  const token = await agents().joinToken()
  const changed = { hostName: inventory.host.name, ...NEXT, rack: { row: 7 } }
  const credential = (await agents().enroll(token, changed)).body.credential
  const json = encodeReportJson(JSON.parse(reportJson({ inventory, position, ...NEXT })))
  expect((await agents().report(credential, json)).status).toBe(200)
  expect(await database().query(NUMBERS)).toEqual(expected)
  expect(await database().query('SELECT contract_revision AS revision FROM host')).toEqual([
    { revision: CONTRACT_REVISION + 1 },
  ])
  const digest = inventoryDigest(inventory)
  expect((await agents().heartbeat(credential, { boot: 1, sequence: 2 }, digest)).status).toBe(200)
  const later = { ...inventory, guests: [], fabric: [{ switch: 1 }] } as Inventory
  const next = { inventory: later, position: { boot: 1, sequence: 3 }, ...NEXT }
  expect(await agents().report(credential, encodeReportJson(JSON.parse(reportJson(next))))).toMatchObject({
    status: 200,
    body: { isApplied: true },
  })
  expect(await database().query('SELECT guest_count AS guests, sequence FROM host')).toEqual([
    { guests: 0, sequence: 3 },
  ])
})

test('control: what is not known is refused of an agent that is not newer, in one sentence that names it', async () => {
  const inventory = t4SeedHost()
  const credential = await agents().enrolled()
  const refused = await agents().report(credential, reportJson({ inventory: nextForm(), position }))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toMatch(/ofTheNextRelease|powerLimit|fabric/)
  expect(await database().query('SELECT 1 FROM pgpu')).toEqual([])

  const next = await agents().report(credential, reportJson({ inventory, position, contractVersion: 2 }))
  expect(next.status).toBe(400)
  expect(next.body.error.message).toMatch(/2.*1/)
  expect((await agents().report(credential, reportJson({ inventory, position }))).status).toBe(200)
})
