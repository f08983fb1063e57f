import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
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

test('a newer agent is refused in one sentence that names what is not known, and nothing is written', async () => {
  const inventory = t4SeedHost()
  const credential = await agents().enrolled()
  const newer = { ...inventory, host: { ...inventory.host, ofTheNextRelease: true } } as Inventory
  const refused = await agents().report(credential, reportJson({ inventory: newer, position }))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain('ofTheNextRelease')
  expect(await database().query('SELECT 1 FROM pgpu')).toEqual([])

  const next = await agents().report(credential, reportJson({ inventory, position, contractVersion: 2 }))
  expect(next.status).toBe(400)
  expect(next.body.error.message).toMatch(/2.*1/)
  expect((await agents().report(credential, reportJson({ inventory, position }))).status).toBe(200)
})
