import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { putConsumer } from '../change-allocations'
import { addProvider } from '../change-providers'
import { createPlacementState, type PlacementState } from '../placement-state'
import type { Candidate, CandidateGroup, CandidateRequest } from './candidate-request'
import { findCandidates } from './find-candidates'

const CLASSES = ['VCPU', 'VGPU', 'CUSTOM_X'] as const
const TRAITS = ['A', 'B', 'C'] as const

type ProviderPlan = {
  /** Index of the parent among those before it; null for a root. */
  parent: number | null
  inventories: { name: string; total: number; maxUnit: number; used: number }[]
  traits: string[]
}

const providerArbitrary = fc.record({
  parent: fc.option(fc.nat({ max: 5 }), { freq: 3 }),
  inventories: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...CLASSES),
      total: fc.integer({ min: 1, max: 4 }),
      maxUnit: fc.integer({ min: 1, max: 4 }),
      used: fc.nat({ max: 4 }),
    }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
  traits: fc.subarray([...TRAITS]),
})

const NO_TRAITS = fc.constant<string[]>([])

const groupArbitrary = (suffix: string): fc.Arbitrary<CandidateGroup> =>
  fc
    .record({
      resources: fc.uniqueArray(fc.tuple(fc.constantFrom(...CLASSES), fc.integer({ min: 1, max: 3 })), {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 2,
      }),
      required: fc.oneof(
        { weight: 3, arbitrary: NO_TRAITS },
        fc.subarray<string>([...TRAITS], { maxLength: 2 }),
      ),
      forbidden: fc.oneof(
        { weight: 3, arbitrary: NO_TRAITS },
        fc.subarray<string>([...TRAITS], { maxLength: 1 }),
      ),
    })
    .map(({ resources, required, forbidden }) => ({
      suffix,
      resources: new Map<string, number>(resources),
      required: { anyOf: required.map((name) => [name]), forbidden },
      members: { anyOf: [], forbidden: [] },
      inTree: null,
    }))

const requestArbitrary: fc.Arbitrary<CandidateRequest> = fc
  .record({
    suffixes: fc.subarray(['', '1', '2'], { minLength: 1 }),
    policy: fc.constantFrom('none' as const, 'isolate' as const),
    groups: fc.tuple(groupArbitrary(''), groupArbitrary('1'), groupArbitrary('2')),
  })
  .map(({ suffixes, policy, groups }) => ({
    groups: groups.filter(({ suffix }) => suffixes.includes(suffix)),
    groupPolicy: policy,
    rootRequired: { anyOf: [], forbidden: [] },
    sameSubtrees: [],
  }))

const build = (plans: ProviderPlan[]): PlacementState => {
  const state = createPlacementState()
  plans.forEach(({ parent, inventories, traits }, index) => {
    const parentUuid = parent === null || parent >= index ? null : `p${parent}`
    const provider = addProvider(state, { uuid: `p${index}`, name: `n${index}`, parentUuid })
    for (const { name, total, maxUnit } of inventories) {
      provider.inventories.set(name, {
        total,
        reserved: 0,
        min_unit: 1,
        max_unit: maxUnit,
        step_size: 1,
        allocation_ratio: 1,
      })
    }
    for (const trait of traits) provider.traits.add(trait)
    const held = inventories.filter(({ used }) => used > 0).map(({ name, used }) => [name, used] as const)
    if (held.length > 0) {
      putConsumer(state, {
        uuid: `c${index}`,
        generation: 1,
        projectId: 'p',
        userId: 'u',
        type: null,
        allocations: new Map([[provider.uuid, new Map(held)]]),
      })
    }
  })
  return state
}

/** Every assignment of (group, class) to a provider of one tree, then each rule separately: no pruning, no sharing of code. */
const bruteForce = (plans: ProviderPlan[], request: CandidateRequest): string[] => {
  const rootOf = (index: number): number => {
    const parent = plans[index]?.parent
    return parent === null || parent === undefined || parent >= index ? index : rootOf(parent)
  }
  const inputs = request.groups.flatMap(({ suffix, resources }) =>
    [...resources].map(([name, amount]) => ({ suffix, name, amount })),
  )
  const found = new Set<string>()
  const roots = new Set(plans.map((_, index) => rootOf(index)))
  for (const root of roots) {
    const tree = plans.map((_, index) => index).filter((index) => rootOf(index) === root)
    const count = tree.length ** inputs.length
    for (let code = 0; code < count; code += 1) {
      const indexes = inputs.map((_, at) => tree[Math.floor(code / tree.length ** at) % tree.length] ?? 0)
      const of = (suffix: string): number[] => indexes.filter((_, at) => inputs[at]?.suffix === suffix)
      const isOne = request.groups.every(({ suffix }) => suffix === '' || new Set(of(suffix)).size === 1)
      const hasTraits = request.groups.every(({ suffix, required }) => {
        const traits = new Set(of(suffix).flatMap((index) => plans[index]?.traits ?? []))
        return (
          required.anyOf.every((names) => names.some((name) => traits.has(name))) &&
          required.forbidden.every((name) => !traits.has(name))
        )
      })
      const numbered = request.groups.filter(({ suffix }) => suffix !== '').map(({ suffix }) => of(suffix)[0])
      const isApart = request.groupPolicy !== 'isolate' || new Set(numbered).size === numbered.length
      const sums = new Map<string, number>()
      inputs.forEach(({ name, amount }, at) => {
        const key = `${indexes[at]} ${name}`
        sums.set(key, (sums.get(key) ?? 0) + amount)
      })
      const fits = [...sums].every(([key, amount]) => {
        const [index = '', name] = key.split(' ')
        const inventory = plans[Number(index)]?.inventories.find((each) => each.name === name)
        return (
          inventory !== undefined && inventory.used + amount <= inventory.total && amount <= inventory.maxUnit
        )
      })
      if (!isOne || !hasTraits || !isApart || !fits) continue
      found.add(
        JSON.stringify([
          [...sums].map(([key, amount]) => `p${key} ${amount}`).sort(),
          request.groups
            .map(({ suffix }) => `${suffix}: ${[...new Set(of(suffix))].map((at) => `p${at}`).sort()}`)
            .sort(),
        ]),
      )
    }
  }
  return [...found].sort()
}

const asText = ({ allocations, mappings }: Candidate): string =>
  JSON.stringify([
    [...allocations]
      .flatMap(([uuid, sums]) => [...sums].map(([name, amount]) => `${uuid} ${name} ${amount}`))
      .sort(),
    [...mappings].map(([suffix, uuids]) => `${suffix}: ${[...uuids].sort()}`).sort(),
  ])

it('finds what trying everything finds', () => {
  fc.assert(
    fc.property(
      fc.array(providerArbitrary, { minLength: 1, maxLength: 5 }),
      requestArbitrary,
      (plans, request) => {
        const found = findCandidates(build(plans), request).map(asText).sort()
        expect(found).toEqual(bruteForce(plans, request))
      },
    ),
    { numRuns: 1000, seed: 20261121 },
  )
}, 30_000)

describe('where a trait must stand', () => {
  const inventory = (total: number) => ({
    total,
    reserved: 0,
    min_unit: 1,
    max_unit: total,
    step_size: 1,
    allocation_ratio: 1,
  })
  const state = createPlacementState()
  const root = addProvider(state, { uuid: 'root', name: 'root', parentUuid: null })
  root.inventories.set('VCPU', inventory(8))
  root.traits.add('ROOT')
  for (const [uuid, trait] of [
    ['a', 'A'],
    ['b', 'B'],
  ] as const) {
    const child = addProvider(state, { uuid, name: uuid, parentUuid: 'root' })
    child.inventories.set('VGPU', inventory(4))
    child.traits.add(trait)
  }

  type GroupInput = { resources?: [string, number][]; required?: string[]; forbidden?: string[] }
  const ask = (
    inputs: Record<string, GroupInput>,
    groupPolicy: CandidateRequest['groupPolicy'] = null,
  ): string[] => {
    const groups = Object.entries(inputs).map(
      ([suffix, { resources = [], required = [], forbidden = [] }]) => ({
        suffix: suffix === '_' ? '' : suffix,
        resources: new Map(resources),
        required: { anyOf: required.map((name) => [name]), forbidden },
        members: { anyOf: [], forbidden: [] },
        inTree: null,
      }),
    )
    const none = { anyOf: [], forbidden: [] }
    const found = findCandidates(state, { groups, groupPolicy, rootRequired: none, sameSubtrees: [] })
    const gpus = found.map(({ mappings }) =>
      [...mappings.values()]
        .flat()
        .filter((uuid) => uuid !== 'root')
        .sort()
        .join('+'),
    )
    return [...new Set(gpus)].sort()
  }
  const CPU: [string, number][] = [['VCPU', 1]]
  const GPU: [string, number][] = [['VGPU', 1]]

  it.each<[string, Record<string, GroupInput>, string[]]>([
    ['group-less trait of the pGPU', { _: { resources: [...CPU, ...GPU], required: ['A'] } }, ['a']],
    ['root’s and pGPU’s, group-less', { _: { resources: [...CPU, ...GPU], required: ['ROOT', 'A'] } }, ['a']],
    ['forbidden', { _: { resources: [...CPU, ...GPU], forbidden: ['A'] } }, ['b']],
    [
      'in the group of its resource',
      { _: { resources: CPU }, 1: { resources: GPU, required: ['A'] } },
      ['a'],
    ],
    ['suffix forgotten', { _: { resources: CPU, required: ['A'] }, 1: { resources: GPU } }, []],
    ['root’s trait in the group', { _: { resources: CPU }, 1: { resources: GPU, required: ['ROOT'] } }, []],
    ['without asking for a vGPU', { _: { resources: CPU, required: ['A'] } }, []],
  ])('%s', (_, inputs, expected) => {
    expect(ask(inputs)).toEqual(expected)
  })

  it('two groups: apart when isolated, also twice from one otherwise', () => {
    const inputs = { _: { resources: CPU }, 1: { resources: GPU }, 2: { resources: GPU } }
    expect(ask(inputs, 'isolate')).toEqual(['a+b'])
    expect(ask(inputs, 'none')).toEqual(['a+a', 'a+b', 'b+b'])
  })
})
