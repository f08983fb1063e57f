import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { DIFFERENCE_LIMITS, DIFFERENCE_TYPE } from '@/lib/schemas/agent/difference'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'
import { differenceJson } from '@/lib/services/report/testing/sent-report'
import { reportJson } from './testing/agent-console'
import { createAgentWorld } from './testing/agent-world'

const world = createAgentWorld()
const { agents, database } = world

let credential: string
beforeEach(async () => {
  credential = await agents().enrolled()
})

const at = (sequence: number) => ({ boot: 1, sequence })
const base = t4SeedHost()
const next: Inventory = { ...base, guests: [], host: { ...base.host, osName: 'next' } }

const sendBase = () =>
  agents().report(credential, encodeReportJson(JSON.parse(reportJson({ inventory: base, position: at(1) }))))
const headers = { 'content-type': DIFFERENCE_TYPE, 'content-encoding': 'identity' }
const sendDifference = (json: Buffer | string) => agents().report(credential, json, headers)
const toNext = (sequence = 2) => differenceJson({ base, inventory: next, position: at(sequence) })
const changed = (change: Record<string, unknown>): string =>
  JSON.stringify({ ...JSON.parse(toNext().toString()), ...change })
const stored = () =>
  database().prisma.host.findFirstOrThrow({ select: { digest: true, osName: true, sequence: true } })

test('a difference is taken where its base is the newest, plain and as gzip', async () => {
  expect((await sendBase()).body).toMatchObject({ isApplied: true, takesDifferences: true })
  expect((await sendDifference(toNext())).body).toMatchObject({ isApplied: true, newest: at(2) })
  expect(await stored()).toEqual({ digest: inventoryDigest(next), osName: 'next', sequence: 2 })
  const back = differenceJson({ base: next, inventory: base, position: at(3) })
  const answer = await agents().report(credential, gzipSync(back), { ...headers, 'content-encoding': 'gzip' })
  expect(answer.body).toMatchObject({ isApplied: true, newest: at(3) })
})

test('sent twice, or after a newer report, it changes nothing', async () => {
  await sendBase()
  await sendDifference(toNext())
  expect((await sendDifference(toNext())).body).toMatchObject({ isApplied: false, newest: at(2) })
  const late = await agents().report(credential, reportJson({ inventory: base, position: at(9) }))
  expect(late.body.isApplied).toBe(true)
  const again = differenceJson({ base: next, inventory: base, position: at(3) })
  expect((await sendDifference(again)).body).toMatchObject({ isApplied: false, newest: at(9) })
})

test('a console that started anew asks for the whole report', async () => {
  await sendBase()
  await world.startAnew()
  const answer = await sendDifference(toNext())
  expect([answer.status, answer.body.error]).toMatchObject([409, { code: 'conflict', field: 'base' }])
  expect((await stored()).sequence).toBe(1)
})

test.each<[what: string, json: () => string | Buffer, status: number, code: string, field?: string]>([
  ['no JSON', () => '{', 400, 'broken_json'],
  [
    'another version',
    () => changed({ contractVersion: 9 }),
    400,
    'unknown_contract_version',
    'contractVersion',
  ],
  ['a member that is not known', () => changed({ more: 1 }), 400, 'invalid_difference', 'more'],
  ['no digest as base', () => changed({ base: 'x' }), 400, 'invalid_difference', 'base'],
  [
    'an edit before the one before it',
    () =>
      changed({
        edits: [
          [50, 1, ''],
          [10, 1, ''],
        ],
      }),
    400,
    'invalid_difference',
    'edits',
  ],
  [
    'an edit beyond the base',
    () => changed({ edits: [[1, 8_000_000, '']] }),
    400,
    'invalid_difference',
    'edits',
  ],
  [
    'edits that make something else',
    () => changed({ edits: [[10, 1, 'x']] }),
    400,
    'digest_mismatch',
    'digest',
  ],
  [
    'too many edits',
    () => changed({ edits: Array.from({ length: DIFFERENCE_LIMITS.edits + 1 }, (_, n) => [n, 0, '']) }),
    400,
    'invalid_difference',
    'edits',
  ],
  [
    'too many bytes',
    () => changed({ edits: [[0, 0, 'x'.repeat(DIFFERENCE_LIMITS.bytes)]] }),
    413,
    'too_large_difference',
  ],
])(
  'a difference with %s is refused in one sentence, and nothing is written',
  async (_, json, status, code, field) => {
    await sendBase()
    const answer = await sendDifference(json())
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([status, code, field])
    expect(answer.body.error.message).toMatch(/^[^\n]+\.$/)
    expect(await stored()).toMatchObject({ digest: inventoryDigest(base), sequence: 1 })
    // And the base is still there.
    expect((await sendDifference(toNext())).body.isApplied).toBe(true)
  },
)

test('a body beyond the limits of a report is refused as one', async () => {
  await sendBase()
  const large = Buffer.alloc(REPORT_LIMITS.uncompressedBytes + 1, 'x')
  const answer = await agents().report(credential, gzipSync(large), {
    ...headers,
    'content-encoding': 'gzip',
  })
  expect(answer.body.error.code).toBe('too_large_uncompressed')
})

test('what a whole report may not say, a difference may not either', async () => {
  await sendBase()
  const wrong = { ...base, host: { ...base.host, name: 'NOT A NAME' } }
  const answer = await sendDifference(differenceJson({ base, inventory: wrong, position: at(2) }))
  expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([
    400,
    'invalid_report',
    'inventory.host.name',
  ])
  const other = { ...base, host: { ...base.host, name: 'cmp-99' } }
  const foreign = await sendDifference(differenceJson({ base, inventory: other, position: at(2) }))
  expect(foreign.body.error.code).toBe('credential_of_other_host')
  expect((await stored()).sequence).toBe(1)
})
