import { expect, test } from 'vitest'
import { createCommandCache } from './command-cache'

type Row = { hostId: number; hasCommands: boolean }

/** A board with a fake clock and answers that the test gives explicitly. */
const opened = () => {
  let nowMs = 0
  const queries: { answer: (rows: Row[]) => void; fail: (error: Error) => void }[] = []
  const cache = createCommandCache({
    query: (() => new Promise<Row[]>((answer, fail) => queries.push({ answer, fail }))) as never,
    freshMs: 1000,
    nowMs: () => nowMs,
  })
  return {
    cache,
    queries,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

const NOTHING = { hasCommands: false, isAwaited: false }
const HAS_SOME = { hasCommands: true, isAwaited: true }

test('the database is queried once for all callers, and later callers get the answer immediately', async () => {
  const { cache, queries, wait } = opened()
  const both = [cache.of(1), cache.of(2)]
  expect(queries).toHaveLength(1)
  queries[0]?.answer([
    { hostId: 1, hasCommands: true },
    { hostId: 1, hasCommands: false },
  ])
  expect(await Promise.all(both)).toEqual([HAS_SOME, NOTHING])
  wait(999)
  expect([cache.of(1), cache.of(2)]).toEqual([HAS_SOME, NOTHING])
  wait(1)
  expect(cache.of(1)).toBeInstanceOf(Promise)
  expect(queries).toHaveLength(2)
})

test('an answer that comes after a later question is not what is known', async () => {
  const { cache, queries, wait } = opened()
  const early = cache.of(1)
  wait(1000)
  const late = cache.of(1)
  queries[0]?.answer([{ hostId: 1, hasCommands: true }])
  expect(await early).toEqual(HAS_SOME)
  expect(cache.of(1)).toBeInstanceOf(Promise)
  queries[1]?.answer([])
  expect(await late).toEqual(NOTHING)
  expect(cache.of(1)).toEqual(NOTHING)
})

test('after a failed query the next call queries again', async () => {
  const { cache, queries } = opened()
  const failing = cache.of(1)
  queries[0]?.fail(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  const next = cache.of(1)
  expect(queries).toHaveLength(2)
  queries[1]?.answer([{ hostId: 1, hasCommands: false }])
  expect(await next).toEqual({ hasCommands: false, isAwaited: true })
})
