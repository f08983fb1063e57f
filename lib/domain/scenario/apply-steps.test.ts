import { describe, expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { HostAggregate } from '@/lib/domain/cloud/types'
import { amountText, parseAmount } from '@/lib/domain/price/amount'
import { pricesOn } from '@/lib/domain/price/price-list'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { allSteps } from '@/lib/util/all-steps'
import { applySteps } from './apply-steps'
import { changedHosts, fitDifference } from './count-flavors'
import { demandByAggregate, sumAggregates, sumTypes } from './sum-groups'
import type { ScenarioStep } from './types'
import { sumOfValues, valueOfChange } from './value-of-change'

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

type Undated<Step> = Step extends unknown ? Omit<Step, 'date'> & { date?: string } : never
type StepOfTest = Undated<ScenarioStep>

const tried = (steps: StepOfTest[], held: Parameters<typeof applySteps>[2] = []) => {
  const before = joinFleet(cloud())
  const dated = steps.map((step): ScenarioStep => ({ ...step, date: step.date ?? null }))
  const { stages, results } = allSteps(applySteps(before, dated, held))
  const after = stages.at(-1)?.fleet ?? before
  return {
    before,
    after,
    stages,
    results,
    outcomes: results.map(({ outcome }) => outcome),
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
      step: Partial<Omit<Extract<ScenarioStep, { do: 'type' }>, 'date'>>,
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
    const both = tried([{ do: 'add', count: 2, like: 'cmp-1' }])
    const { outcomes, types, aggregates } = both
    expect(types.get(T4_4C)).toMatchObject({ cards: 5, capacity: 20, used: 4 })
    expect(aggregates.get('gpu')).toMatchObject({ capacity: 16, used: 4 })
    expect(outcomes[0]?.text).toContain('2 hosts like cmp-1, each with:\n- 1 x ')
    expect(fits(both, 'CUSTOM_T4_4C')).toBe(8)
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
    const both = tried([{ do: 'remove', hosts: ['cmp-1'] }])
    const { outcomes, types } = both
    expect(types.get(T4_4C)).toMatchObject({ cards: 2, capacity: 8, used: 1 })
    expect(outcomes[0]).toMatchObject({ problem: null, moving: 3 })
    expect(outcomes[0]?.text).toMatch(
      /service set --disable .*cmp-1 nova-compute\nopenstack server migrate --live/,
    )
    expect(fits(both, 'CUSTOM_T4_4C')).toBe(-1)
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

const NEW_L40S = {
  ...{ do: 'new' as const, count: 2, cards: 4, model: 'NVIDIA L40S', typeName: 'L40S-12Q' },
  ...{ vcpus: 64, memoryGib: 512, diskGib: 1000, aggregate: 'batch' },
}

describe('new hosts with cards of the table of cards', () => {
  test('a type that no card has comes with its published capacity and the usual trait', () => {
    const both = tried([NEW_L40S])
    expect(both.outcomes[0]?.problem).toBeNull()
    expect(both.types.get('nvidia-1153')).toMatchObject({
      ...{ label: 'L40S-12Q', cards: 8, capacity: 32, used: 0 },
    })
    expect(both.aggregates.get('batch')).toMatchObject({ capacity: 4 + 32 })
    expect(fits(both, 'CUSTOM_NVIDIA_L40S_12Q')).toBe(32)
    expect(fits(both, 'CUSTOM_T4_4C')).toBe(0)
    expect(both.outcomes[0]?.text).toBe(
      '2 hosts, each with:\n- 4 x NVIDIA L40S\n- 64 vCPUs\n- 512 GiB of memory\n- 1,000 GiB of disk',
    )
  })

  test('a type of the fleet has its id, its resource class and its trait', () => {
    const both = tried([{ ...NEW_L40S, count: 1, cards: 2, model: 'NVIDIA Tesla T4', typeName: 'T4-4C' }])
    expect(both.types.get(T4_4C)).toMatchObject({ cards: 5, capacity: 20, used: 4 })
    expect(fits(both, 'CUSTOM_T4_4C')).toBe(8)
  })

  test('CPU and memory of the new hosts limit what fits', () => {
    const both = tried([{ ...NEW_L40S, count: 1, memoryGib: 4 }])
    const question = {
      gone: changedHosts(both.before, both.after),
      come: changedHosts(both.after, both.before),
    }
    const flavor = buildFlavor({
      name: 'gpu',
      memoryMib: 2048,
      extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_NVIDIA_L40S_12Q': 'required' },
    })
    expect(fitDifference({ ...both, ...question }, flavor).more).toBeLessThanOrEqual(4)
    expect(fitDifference({ ...both, ...question }, flavor).more).toBeGreaterThan(0)
  })

  test('what the table or the cloud does not have is refused', () => {
    const problem = (change: Partial<typeof NEW_L40S>) => {
      const { before, after, outcomes } = tried([{ ...NEW_L40S, ...change }])
      expect(changedHosts(after, before)).toEqual([])
      return outcomes[0]?.problem
    }
    expect(problem({ typeName: 'A40-12Q' })).toBe(
      'The table of cards has no vGPU type A40-12Q of NVIDIA L40S. Choose another type or card.',
    )
    expect(problem({ aggregate: 'none' })).toBe('Nova has no aggregate none: choose another one.')
  })
})

describe('dates', () => {
  const remove = { do: 'remove' as const, hosts: ['cmp-1'] }
  const change = { do: 'type' as const, count: 3, from: T4_4C, to: T4_8C }

  test('steps are applied in the order of their days, and reported in the order given', () => {
    const { outcomes, stages } = tried([
      { ...remove, date: '2027-03-01' },
      { ...change, date: '2027-01-20' },
      { do: 'add', count: 1, like: 'cmp-2', date: '2027-01-20' },
    ])
    expect(outcomes.map(({ problem, targets }) => [problem, targets.length])).toEqual([
      [null, 0],
      [null, 3],
      [null, 0],
    ])
    expect(stages.map(({ day, fleet }) => [day, fleet.hosts.length])).toEqual([
      ['2027-01-20', 4],
      ['2027-03-01', 3],
    ])
    expect(tried([remove, { ...change, date: '2027-01-20' }]).outcomes[1]?.problem).toMatch(/^Only 2 cards/)
  })
})

test('steps are worth the price of the capacity that they add or remove', () => {
  const prices = pricesOn(
    [
      {
        id: 1,
        model: 'NVIDIA Tesla T4',
        typeName: null,
        amount: parseAmount('0.40'),
        currency: 'EUR',
        validFrom: '2026-01-01',
      },
      {
        id: 2,
        model: 'NVIDIA L40S',
        typeName: 'L40S-12Q',
        amount: parseAmount('0.50'),
        currency: 'USD',
        validFrom: '2026-01-01',
      },
    ],
    '2026-11-28',
  )
  const { results } = tried([
    { do: 'remove', hosts: ['cmp-1'] },
    NEW_L40S,
    { do: 'move', hosts: ['cmp-2'], from: 'gpu', to: 'batch' },
    { ...NEW_L40S, model: 'NVIDIA A40', typeName: 'A40-4Q', aggregate: null },
  ])
  const values = results.map((result) => valueOfChange(result, prices))
  const texts = (value: (typeof values)[number]) =>
    [...value.amounts].map(([currency, amount]) => `${currency} ${amountText(amount)}`)
  expect(values.map(texts)).toEqual([['EUR -292.00'], ['USD 11680.00'], [], []])
  expect(values[3]).toMatchObject({
    unpricedCards: 8,
    because: 'The price list has no price of A40-4Q or NVIDIA A40.',
  })
  expect(texts(sumOfValues(values))).toEqual(['EUR -292.00', 'USD 11680.00'])
  expect(sumOfValues(values).unpricedCards).toBe(8)
})

test('a scenario has steps in between, so that it does not block the process', () => {
  const step: ScenarioStep = { do: 'type', count: 1, from: T4_4C, to: T4_8C, date: null }
  expect([...applySteps(joinFleet(cloud()), [step, step], [])].length).toBeGreaterThan(2)
})
