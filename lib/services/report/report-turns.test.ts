import { expect, test } from 'vitest'
import { createReportTurns } from './report-turns'

const immediate = () => new Promise((resolve) => setImmediate(resolve))

/** Says each step that it takes, and awaits something between two. */
const walk = async (turn: () => Promise<void>, name: string, said: string[]): Promise<void> => {
  await turn()
  for (const step of [1, 2, 3]) {
    said.push(`${name}${step}`)
    await null
  }
}

test('what comes at once takes each step before any takes the next', async () => {
  const turn = createReportTurns()
  const said: string[] = []
  await Promise.all(['a', 'b', 'c'].map((name) => walk(turn, name, said)))
  expect(said).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

test('what is too much for a turn has the next one, and others are served between', async () => {
  const turn = createReportTurns(2)
  const said: string[] = []
  const walks = ['a', 'b', 'c', 'd', 'e'].map((name) => walk(turn, name, said))
  for (let round = 0; round < 3; round += 1) {
    await immediate()
    said.push('|')
  }
  await Promise.all(walks)
  expect(said.join('')).toBe('a1b1a2b2a3b3|c1d1c2d2c3d3|e1e2e3|')
})

test('who comes while others wait begins after them, who comes alone begins soon', async () => {
  const turn = createReportTurns(1)
  const said: string[] = []
  const first = turn().then(() => said.push('first'))
  const second = turn().then(() => said.push('second'))
  await first
  const third = turn().then(() => said.push('third'))
  await Promise.all([second, third])
  await turn()
  expect(said).toEqual(['first', 'second', 'third'])
})
