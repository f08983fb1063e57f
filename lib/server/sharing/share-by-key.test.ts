import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareByKey } from './share-by-key'

const createReads = () => {
  const name = `test-${Math.random()}`
  const share = shareByKey(name)
  const owner = {}
  const reads: string[] = []
  let running = 0
  let max = 0
  const get = (key: string) =>
    share(owner, key, async () => {
      reads.push(key)
      running += 1
      max = Math.max(max, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      if (key === 'bad') throw new Error('no answer')
      return `${key} ${reads.length}`
    })
  const entryCount = (): number => {
    const holder = globalThis as { [symbol: symbol]: WeakMap<object, Map<string, unknown>> | undefined }
    return holder[Symbol.for(`sliceboard.shared.${name}`)]?.get(owner)?.size ?? 0
  }
  return { get, reads, max: () => max, entryCount }
}

test('equal concurrent calls share one answer', async () => {
  const { get, reads } = createReads()
  const answers = await Promise.all(Array.from({ length: 60 }, () => get('a')))
  expect(new Set(answers)).toEqual(new Set(['a 1']))
  await Promise.all([get('b'), get('c'), get('b')])
  expect(reads).toEqual(['a', 'b', 'c'])
})

test('a caller during an answer gets the next one, which begins later', async () => {
  const { get, reads, max } = createReads()
  const first = get('a')
  await new Promise((resolve) => setTimeout(resolve, 1))
  const later = await Promise.all([get('a'), get('a')])
  expect([await first, ...later]).toEqual(['a 1', 'a 2', 'a 2'])
  expect([reads.length, max()]).toEqual([2, 1])
})

test('an error is shared and not kept', async () => {
  const { get, reads } = createReads()
  const ends = await Promise.allSettled([get('bad'), get('bad')])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(get('bad')).rejects.toThrow('no answer')
  expect(reads).toEqual(['bad', 'bad'])
})

test('nothing is kept of answers that were given', async () => {
  const { get, entryCount } = createReads()
  await Promise.all([get('a'), get('b'), get('bad').catch(() => undefined)])
  expect(entryCount()).toBe(0)
})

const createSteps = () => {
  const share = shareByKey(`test-${Math.random()}`)
  const owner = {}
  let steps = 0
  const get = (signal: AbortSignal) =>
    share(
      owner,
      'a',
      async (stop) => {
        for (let step = 0; step < 20; step += 1) {
          stop.throwIfAborted()
          steps += 1
          await nextTurn()
        }
        return 'done'
      },
      signal,
    )
  return { get, steps: () => steps }
}

test('the work stops when all callers have left, and begins again for the next', async () => {
  const { get, steps } = createSteps()
  const [first, second] = [new AbortController(), new AbortController()]
  const both = Promise.allSettled([get(first.signal), get(second.signal)])
  while (steps() < 3) await nextTurn()
  first.abort()
  const untilFirst = steps()
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  expect(steps()).toBeGreaterThan(untilFirst)
  second.abort()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const ended = steps()
  expect(ended).toBeLessThan(20)
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(steps()).toBe(ended)
  expect(await get(new AbortController().signal)).toBe('done')
})

test('a request that comes after all others have left gets an answer', async () => {
  const { get, steps } = createSteps()
  const leaving = new AbortController()
  const left = get(leaving.signal)
  leaving.abort(new Error('left'))
  const stays = get(new AbortController().signal)
  await expect(left).rejects.toThrow('left')
  expect(await stays).toBe('done')
  expect(steps()).toBe(20)
})
