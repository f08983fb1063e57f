import { expect, test } from 'vitest'
import { createGroupQueue } from './group-queue'

const deferred = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

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
    mostPerGroup: 3,
    lingerMs: 0,
  })
  const one = queue.add(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const rest = [2, 3, 4, 5].map(queue.add)
  expect(queue.size()).toBe(5)
  first.resolve()
  expect(await Promise.all([one, ...rest])).toEqual([10, 20, 30, 40, 50])
  expect(groups).toEqual([[1], [2, 3, 4], [5]])
})

test('an error of one item is its own', async () => {
  const queue = createGroupQueue<number, number>({
    carryOut: async (items) =>
      new Map(items.map((item) => [item, item === 2 ? new Error('two') : item] as const)),
    mostPerGroup: 10,
    lingerMs: 1,
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(queue.add))
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
    mostPerGroup: 1,
    lingerMs: 0,
  })
  for (const item of [1, 2, 3]) queue.add(item).catch(() => undefined)
  await queue.idle()
  expect(done).toEqual([1, 2, 3])
  expect(queue.size()).toBe(0)
})
