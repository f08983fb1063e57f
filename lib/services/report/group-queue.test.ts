import { expect, test } from 'vitest'
import { createGroupQueue, type GroupQueue } from './group-queue'

const deferred = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Resolves to the queue's result for the item. */
const adding =
  <Item, Result>(queue: GroupQueue<Item, Result>) =>
  (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => queue.add(item, { resolve, reject }))

test('what comes while a group is carried out makes the next group, in order and one group at a time', async () => {
  const groups: number[][] = []
  const first = deferred()
  let running = 0
  const queue = createGroupQueue<number, number>({
    carryOut: async (items) => {
      running += 1
      expect(running).toBe(1)
      groups.push([...items])
      if (groups.length === 1) await first.promise
      running -= 1
      return new Map(items.map((item) => [item, item * 10]))
    },
    maxPerGroup: 3,
    lingerMs: 0,
  })
  const add = adding(queue)
  const one = add(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const rest = [2, 3, 4, 5].map(add)
  expect(queue.size()).toBe(5)
  first.resolve()
  expect(await Promise.all([one, ...rest])).toEqual([10, 20, 30, 40, 50])
  expect(groups).toEqual([[1], [2, 3, 4], [5]])
})

test('a few wait for company, a group that is worth it does not', async () => {
  const groups: number[][] = []
  const queue = createGroupQueue<number, number>({
    carryOut: async (items) => {
      groups.push([...items])
      return new Map(items.map((item) => [item, item]))
    },
    maxPerGroup: 10,
    // Longer than any test waits.
    lingerMs: 3_600_000,
    worthwhile: 3,
  })
  const add = adding(queue)
  expect(await Promise.all([1, 2, 3].map(add))).toEqual([1, 2, 3])
  for (const item of [4, 5]) add(item).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(groups).toEqual([[1, 2, 3]])
})

test('an error of one item is its own', async () => {
  const queue = createGroupQueue<number, number>({
    carryOut: async (items) =>
      new Map(items.map((item) => [item, item === 2 ? new Error('two') : item] as const)),
    maxPerGroup: 10,
    lingerMs: 1,
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(adding(queue)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('idle waits for everything that was added', async () => {
  const done: number[] = []
  const queue = createGroupQueue<number, number>({
    carryOut: async (items) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      done.push(...items)
      return new Map(items.map((item) => [item, item]))
    },
    maxPerGroup: 1,
    lingerMs: 0,
  })
  const add = adding(queue)
  for (const item of [1, 2, 3]) add(item).catch(() => undefined)
  await queue.idle()
  expect(done).toEqual([1, 2, 3])
  expect(queue.size()).toBe(0)
})

test('groups go side by side, but never with a key in common, and what has one key in its order', async () => {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const running = new Set<string>()
  const queue = createGroupQueue<string, string>({
    carryOut: async (items) => {
      const keys = new Set(items.map((item) => item.charAt(0)))
      for (const key of keys) {
        expect(running.has(key)).toBe(false)
        running.add(key)
      }
      groups.push([...items])
      const { promise, resolve } = deferred()
      ends.push(resolve)
      await promise
      for (const key of keys) running.delete(key)
      return new Map(items.map((item) => [item, item]))
    },
    maxPerGroup: 2,
    lingerMs: 0,
    worthwhile: 2,
    sideBySide: { max: 2, keyOf: (item) => item.charAt(0) },
  })
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
  const add = adding(queue)
  const added = [add('a1'), add('b1')]
  await pause()
  // Of a host that is being written, and too few for a concurrent group.
  for (const item of ['a2', 'a3', 'c1']) added.push(add(item))
  await pause()
  expect(groups).toEqual([['a1', 'b1']])
  for (const item of ['d1', 'b2', 'e1']) added.push(add(item))
  await pause()
  expect(groups).toEqual([
    ['a1', 'b1'],
    ['c1', 'd1'],
  ])
  ends[0]?.()
  await pause()
  expect(groups[2]).toEqual(['a2', 'a3'])
  ends[1]?.()
  await pause()
  expect(groups[3]).toEqual(['b2', 'e1'])
  for (const end of ends) end()
  expect(await Promise.all(added)).toEqual(['a1', 'b1', 'a2', 'a3', 'c1', 'd1', 'b2', 'e1'])
  await queue.idle()
  expect(queue.size()).toBe(0)
})
