import { expect, test } from 'vitest'
import { overBudget } from './over-budget'

const routes = [
  { route: '/', kb: 200 },
  { route: '/gpus', kb: 210.04 },
]

test('a route may load as much as its budget, or as the budget of all', () => {
  expect(overBudget(routes, { '/gpus': 210.1, '*': 200 })).toEqual([])
})

test('a route over its budget is reported with its size, the budget and the way out', () => {
  const [sentence, ...more] = overBudget(routes, { '/gpus': 210, '*': 200 })
  expect(more).toEqual([])
  expect(sentence).toMatch(/^\/gpus loads 210\.0 kB of script .* budget of 210 kB: load later .* or raise/)
})

test('a route without a budget, and a budget without a route, are reported', () => {
  expect(overBudget(routes, { '/gpus': 300, '/gone': 100 })).toEqual([
    expect.stringMatching(/^\/ has no budget/),
    expect.stringMatching(/^\/gone has a budget, but the build has no such route/),
  ])
})
