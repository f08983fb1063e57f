import { describe, expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { HostAggregate } from '@/lib/domain/cloud/types'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { allSteps } from '@/lib/util/all-steps'
import { applySteps } from './apply-steps'
import { changedHosts, fitDifference } from './count-flavors'
import { demandByAggregate, sumAggregates, sumTypes } from './sum-groups'
import type { WhatIfStep } from './types'

const T4_4C = 'nvidia-319'
const T4_8C = 'nvidia-320'

const aggregate = (name: string, hosts: string[], availabilityZone: string | null = null): HostAggregate => ({
  id: name.length,
  uuid: `uuid of ${name}`,
  name,
  availabilityZone,
  hosts,
  metadata: {},
})

/** Three T4 hosts with one card each: busy, half empty, empty. */
const cloud = (): FleetFacts => {
  const built = buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 3, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
  ])
  const aggregates = readPart([
    aggregate('gpu', ['cmp-1', 'cmp-2']),
    aggregate('batch', ['cmp-3']),
    aggregate('north', ['cmp-3'], 'az-n'),
    aggregate('south', [], 'az-s'),
  ])
  return { ...built, facts: { ...built.facts, aggregates } }
}

const tried = (steps: WhatIfStep[], held: Parameters<typeof applySteps>[2] = []) => {
  const before = joinFleet(cloud())
  const { fleet: after, outcomes } = allSteps(applySteps(before, steps, held))
  return {
    before,
    after,
    outcomes,
    types: allSteps(sumTypes(after)),
    aggregates: allSteps(sumAggregates(after)),
  }
}

const difference = ({ before, after }: ReturnType<typeof tried>, resource: string) =>
  fitDifference(
    { before, after, gone: changedHosts(before, after), come: changedHosts(after, before) },
    buildFlavor({ name: 'gpu', extraSpecs: { 'resources:VGPU': '1', [`trait:${resource}`]: 'required' } }),
  )

const fits = (both: ReturnType<typeof tried>, resource: string) => difference(both, resource).more

describe('cards get another type', () => {
  test('the least used first, with what has to move', () => {
    const one = tried([{ do: 'type', count: 1, from: T4_4C, to: T4_8C }])
    expect(one.outcomes).toEqual([
      { problem: null, moving: 0, targets: [{ host: 'cmp-3', address: '0000:20:00.0' }], text: null },
    ])
    expect(one.types.get(T4_4C)).toMatchObject({ cards: 2, capacity: 8, used: 4 })
    expect(one.types.get(T4_8C)).toMatchObject({ label: 'T4-8C', cards: 1, capacity: 2, used: 0 })
    const two = tried([{ do: 'type', count: 2, from: T4_4C, to: T4_8C }])
    expect(two.outcomes[0]).toMatchObject({ moving: 1 })
    expect(two.outcomes[0]?.targets.map(({ host }) => host)).toEqual(['cmp-3', 'cmp-2'])
  })

  test('flavors of the old type fit less and those of the new one more, on changed hosts alone', () => {
    const one = tried([{ do: 'type', count: 1, from: T4_4C, to: T4_8C }])
    expect(changedHosts(one.after, one.before).map(({ host }) => host.name)).toEqual(['cmp-3'])
    expect(fits(one, 'CUSTOM_T4_4C')).toBe(-4)
    expect(fits(one, 'CUSTOM_T4_8C')).toBe(2)
  })

  test('a second step takes other cards', () => {
    const { outcomes, types } = tried([
      { do: 'type', count: 1, from: T4_4C, to: T4_8C },
      { do: 'type', count: 1, from: T4_4C, to: T4_8C },
    ])
    expect(outcomes.map(({ targets }) => targets[0]?.host)).toEqual(['cmp-3', 'cmp-2'])
    expect(types.get(T4_8C)).toMatchObject({ capacity: 4 })
  })

  test('what is not possible is refused with the reason, and changes nothing', () => {
    const problem = (
      step: Partial<Extract<WhatIfStep, { do: 'type' }>>,
      held = [] as Parameters<typeof applySteps>[2],
    ) => {
      const { before, after, outcomes } = tried(
        [{ do: 'type', count: 1, from: T4_4C, to: T4_8C, ...step }],
        held,
      )
      expect(changedHosts(after, before)).toEqual([])
      return outcomes[0]?.problem
    }
    expect(problem({ count: 9 })).toBe(
      'Only 3 cards have T4-4C, but 9 are requested. Enter a smaller number.',
    )
    expect(problem({ from: 'nvidia-1' })).toBe('No card has nvidia-1. Choose another type.')
    expect(problem({ to: T4_4C })).toBe('The cards already have T4-4C. Choose another type.')
    expect(problem({ to: 'nvidia-999' })).toMatch(
      /^None of the 3 cards with T4-4C can get nvidia-999 now: its driver/,
    )
    const held = [{ host: 'cmp-3', address: '0000:20:00.0', changeId: 7, by: null }]
    expect(problem({ count: 3 }, held)).toMatch(/^Only 2 of the 3 cards .* held by change 7/)
  })
})

describe('hosts', () => {
  test('a new one is like the old one, empty and in its aggregates', () => {
    const { outcomes, types, aggregates, ...rest } = tried([{ do: 'add', count: 2, like: 'cmp-1' }])
    expect(types.get(T4_4C)).toMatchObject({ cards: 5, capacity: 20, used: 4 })
    expect(aggregates.get('gpu')).toMatchObject({ capacity: 16, used: 4 })
    expect(outcomes[0]?.text).toContain('2 hosts like cmp-1, each with:\n- 1 x ')
    expect(fits({ outcomes, types, aggregates, ...rest }, 'CUSTOM_T4_4C')).toBe(8)
    expect(tried([{ do: 'add', count: 1, like: 'cmp-9' }]).outcomes[0]?.problem).toMatch(/^No agent reports/)
  })

  test('new hosts have no cards that a change could be planned for', () => {
    const { outcomes } = tried([
      { do: 'add', count: 2, like: 'cmp-3' },
      { do: 'type', count: 4, from: T4_4C, to: T4_8C },
    ])
    expect(outcomes[1]?.problem).toMatch(/^Only 3 cards/)
  })

  test('a removed one takes its capacity along, and its servers have to move', () => {
    const { outcomes, types, ...rest } = tried([{ do: 'remove', hosts: ['cmp-1'] }])
    expect(types.get(T4_4C)).toMatchObject({ cards: 2, capacity: 8, used: 1 })
    expect(outcomes[0]).toMatchObject({ problem: null, moving: 3 })
    expect(outcomes[0]?.text).toMatch(
      /service set --disable .*cmp-1 nova-compute\nopenstack server migrate --live/,
    )
    expect(fits({ outcomes, types, ...rest }, 'CUSTOM_T4_4C')).toBe(-1)
    expect(tried([{ do: 'remove', hosts: ['cmp-1', 'x'] }]).outcomes[0]?.problem).toBe(
      'No agent reports x. Remove it, or choose other hosts.',
    )
  })

  test('moved ones take capacity and use to the other aggregate', () => {
    const { outcomes, aggregates } = tried([{ do: 'move', hosts: ['cmp-1'], from: 'gpu', to: 'batch' }])
    expect(aggregates.get('gpu')).toMatchObject({ capacity: 4, used: 1 })
    expect(aggregates.get('batch')).toMatchObject({ capacity: 8, used: 3 })
    const moved = difference(
      tried([{ do: 'move', hosts: ['cmp-1'], from: 'gpu', to: 'batch' }]),
      'CUSTOM_T4_4C',
    )
    expect([moved.more, [...moved.byAggregate]]).toEqual([
      0,
      [
        ['gpu', -1],
        ['batch', 1],
      ],
    ])
    const both = tried([
      { do: 'move', hosts: ['cmp-1'], from: 'gpu', to: 'batch' },
      { do: 'remove', hosts: ['cmp-2'] },
    ])
    expect([...allSteps(demandByAggregate(both.before, both.after))]).toEqual([
      ['batch', 3],
      ['gpu', 1],
      ['north', 0],
    ])
    expect(outcomes[0]?.text).toBe(
      'openstack aggregate remove host gpu cmp-1\nopenstack aggregate add host batch cmp-1',
    )
  })

  test('Nova would refuse a host in two zones, or in another one with its servers', () => {
    const problem = (hosts: string[], from: string, to: string) =>
      tried([{ do: 'move', hosts, from, to }]).outcomes[0]?.problem
    expect(problem(['cmp-3'], 'batch', 'south')).toMatch(
      /^cmp-3 is in the availability zone az-n through another/,
    )
    expect(problem(['cmp-3'], 'north', 'south')).toBeNull()
    expect(problem(['cmp-1'], 'gpu', 'south')).toMatch(/Nova refuses this while the host has servers/)
    expect(problem(['cmp-3'], 'gpu', 'batch')).toBe('cmp-3 is not in gpu. Choose hosts of this aggregate.')
    expect(problem(['cmp-1'], 'gpu', 'none')).toBe('Nova has no aggregate none: choose another one.')
  })
})

test('a scenario has steps in between, so that it does not block the process', () => {
  const step: WhatIfStep = { do: 'type', count: 1, from: T4_4C, to: T4_8C }
  expect([...applySteps(joinFleet(cloud()), [step, step], [])].length).toBeGreaterThan(2)
})
