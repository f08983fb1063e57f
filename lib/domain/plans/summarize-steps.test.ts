import { expect, it } from 'vitest'
import { countTasks, type HostSteps, summarizeHosts } from './summarize-steps'

const group = (host: string | null, part: Partial<HostSteps> = {}): HostSteps => ({
  host,
  id: 'remove-mdev',
  state: 'pending',
  steps: 1,
  changedAt: null,
  ...part,
})

it('sums steps by host and phase, in the order in which the hosts appear', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 22, 0, second))
  const hosts = summarizeHosts([
    group(null, { state: 'done', changedAt: at(1) }),
    group('b', { state: 'skipped', changedAt: at(3), steps: 2 }),
    group('a'),
    group('b', { id: 'drain-server/s-1', state: 'waiting', changedAt: at(2) }),
    group('b', { id: 'write-config/b', state: 'blocked' }),
  ])
  expect(hosts).toEqual([
    {
      ...{ host: null, steps: 1, ended: 1, state: null, changedAt: '2026-11-21T22:00:01.000Z' },
      phases: [{ phase: 'reconfigure', steps: 1, ended: 1, state: null }],
    },
    {
      ...{ host: 'b', steps: 4, ended: 2, state: 'blocked', changedAt: '2026-11-21T22:00:03.000Z' },
      phases: [
        { phase: 'drain', steps: 1, ended: 0, state: 'waiting' },
        { phase: 'reconfigure', steps: 3, ended: 2, state: 'blocked' },
      ],
    },
    {
      ...{ host: 'a', steps: 1, ended: 0, state: null, changedAt: null },
      phases: [{ phase: 'reconfigure', steps: 1, ended: 0, state: null }],
    },
  ])
})

it('counts steps by kind and doer', () => {
  const agent = { kind: 'remove-mdev', doer: 'agent' } as const
  const operator = { kind: 'remove-mdev', doer: 'operator' } as const
  expect(countTasks([agent, operator, agent])).toEqual([
    { ...agent, steps: 2 },
    { ...operator, steps: 1 },
  ])
})
