import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { AgentError } from '@/lib/server/errors/agent-error'
import { formatCredential, hashSecret, newCredentialSecret } from '@/lib/server/secrets/agent-secrets'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createTestDatabase } from '../testing/test-database'
import { AGENT_RATES } from './agent-gate'
import { createCredentialStore } from './credential-store'
import { freeAtOnce, freeingRefused } from './free-at-once'
import { createHold } from './hold'
import { createInflate, unpackedBytes } from './inflate'
import { createBudgetShares, createMemoryBudget } from './read-body'
import { startAgentConsole } from './testing/agent-console'

const MAX_BYTES = 8_388_608
const codeOf = (error: unknown): unknown => (error instanceof AgentError ? error.code : error)

const answerOf = (bytes: Buffer): unknown => {
  try {
    return unpackedBytes(bytes, MAX_BYTES)
  } catch (error) {
    return codeOf(error)
  }
}

const saying = (bytes: Buffer, size: number): Buffer => {
  const lying = Buffer.from(bytes)
  lying.writeUInt32LE(size, bytes.length - 4)
  return lying
}

const unpack = (bytes: Buffer, inflate = createInflate(), hostId = 1): Promise<unknown> =>
  inflate(bytes, { namedBytes: unpackedBytes(bytes, MAX_BYTES), hostId }).then((json) => json.length, codeOf)

describe('gzip of a hostile host', () => {
  const bomb = gzipSync(Buffer.alloc(150_000_000))

  test('is refused by the size that it states, before it is unpacked', () => {
    expect(answerOf(bomb)).toBe('too_large_uncompressed')
    expect(answerOf(gzipSync(Buffer.alloc(MAX_BYTES)))).toBe(MAX_BYTES)
  })

  test('is refused when it cannot be gzip at all', () => {
    const plain = gzipSync(Buffer.alloc(1000))
    for (const bytes of [Buffer.alloc(0), Buffer.from('{}'), plain.subarray(0, 12), saying(plain, 4e9)])
      expect(answerOf(bytes)).toBe('broken_gzip')
  })

  test.each([1, 1000, 262_144, 262_145, MAX_BYTES])(
    'that reports %i bytes is unpacked no further than that',
    async (size) => {
      expect(await unpack(saying(bomb, size))).toBe('broken_gzip')
    },
  )

  test('is one member: what follows it is no report', async () => {
    const member = gzipSync(Buffer.alloc(300_000))
    expect(await unpack(member)).toBe(300_000)
    expect(await unpack(Buffer.concat([member, member]))).toBe('broken_gzip')
    expect(await unpack(Buffer.concat([gzipSync('{'), gzipSync('}')]))).toBe('broken_gzip')
    expect(await unpack(gzipSync(''))).toBe(0)
  })

  test('waits for no host twice: a second large one of the same host is refused until later', async () => {
    const inflate = createInflate()
    const large = gzipSync(Buffer.alloc(1_000_000))
    const both = [unpack(large, inflate), unpack(large, inflate), unpack(large, inflate, 2)]
    expect(await Promise.all(both)).toEqual([1_000_000, 'rate_limited', 1_000_000])
    expect(await unpack(large, inflate)).toBe(1_000_000)
  })

  test('waits within a bound that all hosts share, and one is always taken', async () => {
    const inflate = createInflate(2500)
    const large = gzipSync(Buffer.alloc(1_000_000))
    expect(large.length).toBe(1003)
    const all = [1, 2, 3, 4].map((hostId) => unpack(Buffer.from(large), inflate, hostId))
    expect(await Promise.all(all)).toEqual([1_000_000, 1_000_000, 'overloaded', 'overloaded'])
    expect(await unpack(Buffer.from(large), createInflate(0), 3)).toBe(1_000_000)
  })

  test('leaves no memory behind if it states 8 MB and is larger', async () => {
    const before = process.memoryUsage().arrayBuffers
    const inflate = createInflate()
    const refused = []
    for (let hostId = 0; hostId < 6; hostId += 1)
      refused.push(await unpack(saying(bomb, 8_000_000), inflate, hostId))
    expect(new Set(refused)).toEqual(new Set(['broken_gzip']))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000)
  })
})

test('a large buffer is given back at once, and what lies in the pool stays', () => {
  const [large, small] = [Buffer.alloc(100_000), Buffer.from('kept')]
  freeAtOnce(large)
  freeAtOnce(small)
  expect([large.length, String(small)]).toEqual([0, 'kept'])
})

test('a body that is refused is given back, and one that is taken is not', () => {
  const bytes = Buffer.alloc(100_000)
  expect(freeingRefused(bytes, () => bytes.length)).toBe(100_000)
  const refuse = () => {
    throw new Error('no')
  }
  expect(() => freeingRefused(bytes, refuse)).toThrow('no')
  expect(bytes.length).toBe(0)
})

test('one host holds no more of the memory for bodies than its share', () => {
  const shares = createBudgetShares(createMemoryBudget(100), 40)
  const [one, other] = [shares.of(1), shares.of(2)]
  expect([one.reserve(30), one.reserve(20), shares.of(1).reserve(10), other.reserve(40)]).toEqual([
    true,
    false,
    true,
    true,
  ])
  expect([shares.of(3).reserve(21), shares.of(3).reserve(20)]).toEqual([false, true])
  one.release(40)
  expect(one.reserve(40)).toBe(true)
})

test('made-up credentials cost the database one query at a time', async () => {
  const { secret, hash } = newCredentialSecret()
  const queries: string[] = []
  const rows = [{ id: 7, secretHash: hash, cloudId: 1, hostId: 2, hostName: 'cmp-01', enrolment: 1 }]
  const store = createCredentialStore({
    query: (async (_text: string, [ids]: string[]) => {
      queries.push(String(ids))
      return String(ids).includes('7') ? rows : []
    }) as never,
  })
  const ask = (id: number) => Promise.resolve(store.authenticate(formatCredential(id, secret)))
  const flood = Array.from({ length: 500 }, (_, id) => ask(1000 + id).then(() => 'in', codeOf))
  expect((await ask(7)).hostName).toBe('cmp-01')
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['unauthorized']))
  expect(queries.length).toBeLessThanOrEqual(2)
  expect(hashSecret(secret)).toBe(hash)
})

test('a connection is not read from while its refusal is held', async () => {
  const calls: string[] = []
  const socket = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }
  const held = createHold(1)({ socket } as unknown as IncomingMessage)
  expect(calls).toEqual(['pause'])
  await held
  expect(calls).toEqual(['pause', 'resume'])
})

test('a host that sends too many bytes is refused before they are unpacked', async () => {
  const database = await createTestDatabase()
  await addCloud(database, 'lab')
  const rates = { ...AGENT_RATES, bytes: { burst: 5_000_000, perSecond: 1_000_000 } }
  const agents = await startAgentConsole({ database, rates })
  const [own, other] = [await agents.enrolled('cmp-01'), await agents.enrolled('cmp-02')]
  const junk = gzipSync(Buffer.alloc(3_000_000, ' '))
  const packed = { 'content-encoding': 'gzip' }
  const codes = []
  for (const credential of [own, own, other])
    codes.push((await agents.report(credential, junk, packed)).body.error.code)
  codes.push(
    (await agents.report(own, Buffer.alloc(3_000_000, ' '), { 'content-encoding': 'identity' })).body.error
      .code,
  )
  expect(codes).toEqual(['broken_json', 'rate_limited', 'broken_json', 'rate_limited'])
  await agents.stop()
  await database.close()
})
