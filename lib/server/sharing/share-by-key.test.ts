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

test('those who ask the same at once share one answer', async () => {
  const { get, reads } = createReads()
  const answers = await Promise.all(Array.from({ length: 60 }, () => get('a')))
  expect(new Set(answers)).toEqual(new Set(['a 1']))
  await Promise.all([get('b'), get('c'), get('b')])
  expect(reads).toEqual(['a', 'b', 'c'])
})

test('who comes while one is under way gets the next one, begun after they asked', async () => {
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
