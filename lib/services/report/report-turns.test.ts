import { expect, test } from 'vitest'
import { createReportTurns } from './report-turns'

const immediate = () => new Promise((resolve) => setImmediate(resolve))

/** What was taken, each turn as one text. */
const opened = (mostPerTurn?: number) => {
  const turns: string[] = []
  const take = (items: readonly string[]) => {
    turns.push(items.join(''))
  }
  const come = createReportTurns<string>({ take, ...(mostPerTurn === undefined ? {} : { mostPerTurn }) })
  return { turns, come }
}

test('what comes at once is taken together, in its order, and not before all that came with it is there', async () => {
  const { turns, come } = opened()
  for (const item of ['a', 'b']) come(item)
  await null
  come('c')
  expect(turns).toEqual([])
  await immediate()
  expect(turns).toEqual(['abc'])
})

test('what is too much for a turn has the next one, and others are served between', async () => {
  const { turns, come } = opened(2)
  for (const item of ['a', 'b', 'c', 'd', 'e']) come(item)
  for (let round = 0; round < 3; round += 1) {
    await immediate()
    turns.push('|')
  }
  expect(turns.join('')).toBe('ab|cd|e|')
})

test('who comes while others wait is taken after them, who comes alone soon', async () => {
  const { turns, come } = opened(1)
  for (const item of ['a', 'b']) come(item)
  await immediate()
  come('c')
  await immediate()
  await immediate()
  expect(turns).toEqual(['a', 'b', 'c'])
  come('d')
  await immediate()
  expect(turns).toEqual(['a', 'b', 'c', 'd'])
})
