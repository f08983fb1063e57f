import { expect, test } from 'vitest'
import { shareTurn } from './share-turn'

test('callers within one turn share an answer that is requested after all of them', async () => {
  let value = 1
  let calls = 0
  const ask = shareTurn(async () => {
    calls += 1
    return value
  })
  const first = ask()
  value = 2
  const second = ask()
  expect(await Promise.all([first, second])).toEqual([2, 2])
  expect(calls).toBe(1)
})

test('a caller during an answer gets the next one', async () => {
  let value = 1
  let answer: (() => void) | null = null
  const ask = shareTurn(async () => {
    const seen = value
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return seen
  })
  const begun = (): Promise<void> =>
    new Promise((resolve) => {
      const look = () => (answer === null ? setImmediate(look) : resolve())
      look()
    })
  const goOn = (): void => {
    answer?.()
    answer = null
  }
  const first = ask()
  await begun()
  value = 2
  const second = ask()
  goOn()
  expect(await first).toBe(1)
  await begun()
  goOn()
  expect(await second).toBe(2)
})

test('an answer that fails does so for all who shared it, and the next is requested again', async () => {
  let turn = 0
  const ask = shareTurn(async () => {
    turn += 1
    if (turn === 1) throw new Error('away')
    return 'there'
  })
  const both = await Promise.allSettled([ask(), ask()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask()).toBe('there')
})
