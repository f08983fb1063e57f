import { expect, test } from 'vitest'
import { shareNext } from './share-next'

/** A question whose answers are given by hand: what was so when it began. */
const createWorld = () => {
  const begun: { seen: string; answer: () => void; fail: () => void }[] = []
  const ask = shareNext(
    (seen: string) =>
      new Promise<string>((resolve, reject) =>
        begun.push({ seen, answer: () => resolve(seen), fail: () => reject(new Error(`no ${seen}`)) }),
      ),
  )
  const turns = async (count = 5): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, ask, turns, seen: () => begun.map(({ seen }) => seen) }
}

test('callers within one turn share an answer that is requested after all of them', async () => {
  const { begun, ask, turns } = createWorld()
  const both = [ask('one'), ask('one')]
  expect(begun).toEqual([])
  await turns()
  begun[0]?.answer()
  expect(await Promise.all(both)).toEqual(['one', 'one'])
  expect(begun).toHaveLength(1)
})

test('callers during an answer share the next one, which begins when that one has ended', async () => {
  const { begun, ask, turns, seen } = createWorld()
  const first = ask('one')
  await turns()
  const second = ask('two')
  await turns()
  const third = ask('two')
  await turns()
  expect(seen()).toEqual(['one'])
  begun[0]?.answer()
  expect(await first).toBe('one')
  await turns()
  expect(seen()).toEqual(['one', 'two'])
  const fourth = ask('three')
  begun[1]?.answer()
  expect(await Promise.all([second, third])).toEqual(['two', 'two'])
  await turns()
  begun[2]?.answer()
  expect(await fourth).toBe('three')
})

test('an answer that fails does so for those who shared it, and the next is requested again', async () => {
  const { begun, ask, turns } = createWorld()
  const first = Promise.allSettled([ask('one'), ask('one')])
  await turns()
  const second = ask('two')
  begun[0]?.fail()
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await turns()
  begun[1]?.answer()
  expect(await second).toBe('two')
})
