import { expect, test } from 'vitest'
import { formatCredential, newCredentialSecret } from '@/lib/server/secrets/agent-secrets'
import { createCredentialStore } from './credential-store'

const { secret, hash } = newCredentialSecret()
const row = (id: number) => ({
  id,
  secretHash: hash,
  cloudId: 1,
  hostId: 2,
  hostName: 'cmp-01',
  enrolment: 1,
})

/** A store with a fake clock and table. */
const opened = () => {
  let nowMs = 0
  let rows = [row(1)]
  let queries = 0
  const store = createCredentialStore({
    nowMs: () => nowMs,
    query: (async () => {
      queries += 1
      return rows
    }) as never,
  })
  return {
    store,
    isIn: async (id: number, text = secret) => {
      try {
        await store.authenticate(formatCredential(id, text))
        return true
      } catch {
        return false
      }
    },
    hold: (ids: number[]) => {
      rows = ids.map(row)
    },
    wait: (ms: number) => {
      nowMs += ms
    },
    queries: () => queries,
  }
}

test('a credential is looked up again after a minute, and then a revoked one is out', async () => {
  const { isIn, hold, wait, queries } = opened()
  expect([await isIn(1), await isIn(1)]).toEqual([true, true])
  expect(queries()).toBe(1)
  hold([])
  wait(59_999)
  expect(await isIn(1)).toBe(true)
  wait(1)
  expect(await isIn(1)).toBe(false)
})

test('a credential that the database refused is looked up again at once', async () => {
  const { store, isIn, hold } = opened()
  await isIn(1)
  hold([])
  store.forget(1)
  expect(await isIn(1)).toBe(false)
})

test('a credential opens with its own secret only, known or not', async () => {
  const { isIn } = opened()
  const other = newCredentialSecret().secret
  const answers = [await isIn(1, other), await isIn(1), await isIn(1, other), await isIn(2)]
  expect(answers).toEqual([false, true, false, false])
})

test('who is known is let in or refused without waiting', async () => {
  const { store } = opened()
  const own = formatCredential(1, secret)
  expect(await store.authenticate(own)).toMatchObject({ hostName: 'cmp-01' })
  expect(store.authenticate(own)).toMatchObject({ hostName: 'cmp-01' })
  const wrong = formatCredential(1, newCredentialSecret().secret)
  expect(() => store.authenticate(wrong)).toThrow('does not know this credential')
})

test('no more than 50,000 are kept in memory', async () => {
  const { isIn, hold, queries } = opened()
  hold(Array.from({ length: 50_000 }, (_, n) => n + 1))
  expect([await isIn(1), await isIn(50_000)]).toEqual([true, true])
  expect(queries()).toBe(1)
  hold([50_001])
  expect(await isIn(50_001)).toBe(true)
  await isIn(1)
  expect(queries()).toBe(3)
})
