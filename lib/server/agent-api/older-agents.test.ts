import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Position } from '@/lib/schemas/agent/report'
import { reportText } from '@/lib/services/report/testing/sent-report'
import { createAgentWorld } from './testing/agent-world'

const { agents, database } = createAgentWorld()

let credential: string
beforeEach(async () => {
  credential = await agents().enrolled()
})

const at = (sequence: number): Position => ({ boot: 1, sequence })
const base = t4SeedHost()
const versions = ['two', 'three', 'four'].map(
  (osName): Inventory => ({ ...base, host: { ...base.host, osName } }),
)

/**
 * Sends reports as an agent of the release before does (0.1.0, agent/commands/run-delivery.ts): as a difference to the last
 * acknowledged report if that acknowledgement contained `takesDifferences`, plain while it is small. A 409, 400, 413 or 415 to a
 * difference: it forgets the base, does not send a difference for a while, and sends the same report whole at once. A 409 to a
 * whole report would set the report aside.
 */
const createOlderAgent = (known: Inventory | null) => {
  let acknowledged = known
  const sent: string[] = []

  const sendDifference = async (to: Inventory, position: Position, from: Inventory) => {
    const { inventory: _, ...head } = JSON.parse(reportText(to, position))
    const edits = [[10, 3, 'abc']]
    const difference = JSON.stringify({ ...head, base: inventoryDigest(from), edits })
    return agents().report(credential, difference, {
      'content-type': 'application/vnd.sliceboard.difference+json',
      'content-encoding': 'identity',
    })
  }

  return {
    sent,
    send: async (inventory: Inventory, position: Position) => {
      if (acknowledged !== null) {
        const answer = await sendDifference(inventory, position, acknowledged)
        sent.push(`difference ${answer.status}`)
        if (![400, 409, 413, 415].includes(answer.status)) throw new Error(`unexpected ${answer.status}`)
        acknowledged = null
      }
      const answer = await agents().report(credential, gzipSync(reportText(inventory, position)), {
        'content-encoding': 'gzip',
      })
      sent.push(`report ${answer.status}`)
      acknowledged = 'takesDifferences' in answer.body ? inventory : null
    },
  }
}

test('an agent that knew a console of the release before has one difference refused, then sends whole reports', async () => {
  await agents().report(credential, reportText(base, at(1)), { 'content-encoding': 'identity' })
  const agent = createOlderAgent(base)
  for (const [index, inventory] of versions.entries()) await agent.send(inventory, at(index + 2))
  expect(agent.sent).toEqual(['difference 409', 'report 200', 'report 200', 'report 200'])
  expect(await database().prisma.host.findFirstOrThrow()).toMatchObject({ osName: 'four', sequence: 4 })
})

test('a difference is refused by its type with an error that requests the whole report, and nothing is written', async () => {
  await agents().report(credential, reportText(base, at(1)), { 'content-encoding': 'identity' })
  const answer = await agents().report(credential, '{', {
    'content-type': 'application/vnd.sliceboard.difference+json',
    'content-encoding': 'identity',
  })
  expect([answer.status, answer.body.error]).toMatchObject([
    409,
    { code: 'conflict', field: 'base', message: expect.stringMatching(/Send the full report\.$/) },
  ])
  expect(await database().prisma.host.findFirstOrThrow()).toMatchObject({ sequence: 1 })
})
