import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'
import { createTestContext, createTestDatabase } from '@/lib/server/testing/test-database'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import type { AgentActor } from '@/lib/services/report/group-member'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { deliverCommands } from './deliver-commands'
import { takeResult } from './take-result'

const NOW = new Date('2026-11-23T12:00:00Z')
const COMMAND = 'cccccccc-0000-4000-8000-000000000000'

let database: Database
let cloudId: number
let actor: AgentActor
beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'lab')
})
afterAll(() => database.close())

beforeEach(async () => {
  const { prisma } = database
  await prisma.change.deleteMany()
  await prisma.host.deleteMany()
  const host = await prisma.host.create({ data: { cloudId, name: 'cmp-1', enrolment: 1 } })
  const credential = await prisma.agentCredential.create({
    data: { cloudId, hostId: host.id, enrolment: 1, secretHash: 'x', createdAt: NOW },
  })
  actor = {
    kind: 'agent',
    credentialId: credential.id,
    cloudId,
    hostId: host.id,
    hostName: 'cmp-1',
    enrolment: 1,
  }
  const by = { lastAction: 'start', lastBy: 'user:a', lastAt: NOW, madeBy: 'user:a', madeAt: NOW }
  const change = await prisma.change.create({
    data: { cloudId, kind: 'orphans', title: 'Remove', input: {}, preview: {}, ...by },
  })
  const placed = { changeId: change.id, position: 0, revision: 1, isUndo: false }
  await prisma.changeStep.create({ data: { changeId: change.id, position: 0, body: {}, changedAt: NOW } })
  const signed = { command: {}, order: '{}', signature: 'x' }
  const until = { queuedAt: NOW, expiresAt: new Date(NOW.getTime() + 600_000) }
  await prisma.agentCommand.create({
    data: { id: COMMAND, cloudId, hostId: host.id, ...placed, ...signed, ...until },
  })
})

const now = () => NOW
const revoke = () => revokeAgent(createTestContext({ database, now }), { credentialId: actor.credentialId })
const stateOf = async () => (await database.prisma.agentCommand.findFirstOrThrow()).state

test('a command is sent to no credential that was revoked since its message was accepted', async () => {
  expect(await deliverCommands({ database, now }, actor)).toHaveLength(1)
  await database.prisma.agentCommand.updateMany({ data: { state: 'queued' } })
  await revoke()
  expect(await deliverCommands({ database, now }, actor)).toEqual([])
  expect(await stateOf()).toBe('queued')
})

test('a revocation waits for a result that is being written, and no result is written after it', async () => {
  const order: string[] = []
  let looked = (): void => undefined
  const hasLooked = new Promise<void>((resolve) => {
    looked = resolve
  })
  /** Pauses after the check of the credential, so that a revocation can come in between. */
  const resting: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(({ query, prisma }) =>
        work({
          prisma,
          query: createQuery(async (text, params) => {
            const rows = await query(text, params)
            if (JSON.stringify(text).includes('agent_credential')) {
              looked()
              await new Promise((resolve) => setTimeout(resolve, 100))
            }
            return rows
          }),
        }),
      ),
  }
  const result = { id: COMMAND, outcome: 'done' as const, message: 'So it was.', output: '' }
  const taking = takeResult({ database: resting, now }, { actor, result }).finally(() => order.push('taken'))
  await hasLooked
  await revoke()
  order.push('revoked')
  expect([await taking, order]).toEqual([{ isApplied: true }, ['taken', 'revoked']])
  await expect(takeResult({ database, now }, { actor, result })).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

test('a host reports what came from its own commands only, and once', async () => {
  const other = await database.prisma.host.create({ data: { cloudId, name: 'cmp-2', enrolment: 1 } })
  const { id: credentialId } = await database.prisma.agentCredential.create({
    data: { cloudId, hostId: other.id, enrolment: 1, secretHash: 'y', createdAt: NOW },
  })
  const stranger = { ...actor, credentialId, hostId: other.id, hostName: 'cmp-2' }
  const result = { id: COMMAND, outcome: 'done' as const, message: 'So it was.', output: '' }
  await expect(takeResult({ database, now }, { actor: stranger, result })).rejects.toMatchObject({
    code: 'not_found',
  })
  // The credential of one host under the name of the other.
  await expect(
    takeResult({ database, now }, { actor: { ...actor, credentialId }, result }),
  ).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await deliverCommands({ database, now }, stranger)).toEqual([])
  expect(await deliverCommands({ database, now }, { ...actor, credentialId })).toEqual([])
  expect(await stateOf()).toBe('queued')
  expect(await takeResult({ database, now }, { actor, result })).toEqual({ isApplied: true })
  const again = { ...result, outcome: 'failed' as const, message: 'No, it was not.' }
  expect(await takeResult({ database, now }, { actor, result: again })).toEqual({ isApplied: false })
  expect(await database.prisma.agentCommand.findFirst()).toMatchObject({
    state: 'done',
    message: 'So it was.',
  })
})

test('an expired command is not assigned, and a result for it changes nothing', async () => {
  const late = () => new Date(NOW.getTime() + 600_000)
  expect(await deliverCommands({ database, now: late }, actor)).toEqual([])
  await database.prisma.agentCommand.updateMany({ data: { state: 'expired' } })
  const result = { id: COMMAND, outcome: 'done' as const, message: 'So it was.', output: '' }
  expect(await takeResult({ database, now: late }, { actor, result })).toEqual({ isApplied: false })
  expect(await stateOf()).toBe('expired')
})
