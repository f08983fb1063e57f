import { expect, it } from 'vitest'
import { type CountedStep, summarizeSteps } from './summarize-steps'

const step = (host: string | null, part: Partial<CountedStep> = {}): CountedStep => ({
  host,
  kind: 'remove-mdev',
  doer: 'agent',
  state: 'pending',
  changedAt: null,
  ...part,
})

it('counts steps by host, in the order of their first steps', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 22, 0, second))
  const { stepCount, hosts } = summarizeSteps([
    step(null, { state: 'done', changedAt: at(1) }),
    step('b', { state: 'skipped', changedAt: at(3) }),
    step('a'),
    step('b', { state: 'waiting', changedAt: at(2) }),
    step('b', { state: 'blocked' }),
  ])
  expect(stepCount).toBe(5)
  expect(hosts).toEqual([
    { host: null, steps: 1, ended: 1, state: null, changedAt: '2026-11-21T22:00:01.000Z' },
    { host: 'b', steps: 3, ended: 1, state: 'blocked', changedAt: '2026-11-21T22:00:03.000Z' },
    { host: 'a', steps: 1, ended: 0, state: null, changedAt: null },
  ])
})

it('counts steps by kind and doer', () => {
  const { tasks } = summarizeSteps([step('a'), step('b', { doer: 'operator' }), step('b')])
  expect(tasks).toEqual([
    { kind: 'remove-mdev', doer: 'agent', steps: 2 },
    { kind: 'remove-mdev', doer: 'operator', steps: 1 },
  ])
})
