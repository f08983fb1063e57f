import { createLoader, type ParserMap } from 'nuqs/server'
import { describe, expect, test } from 'vitest'
import {
  flavorChangeInputSchema,
  newFlavorInputSchema,
  planOfChange,
  planOfNew,
} from '@/components/flavor-builder/flavor-input'
import { planOfSetUp, setUpInputSchema } from '@/components/limit-set-up/set-up-input'
import { limitKeysSchema, planOfTexts } from '@/components/quota/new-limits-page'
import { inputOf, reservationParams } from '@/components/reservation/reservation-params'
import {
  type PlanChange,
  type PlanFlavor,
  type PlanReservation,
  planChangeSchema,
} from '@/lib/schemas/api/change-inputs'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import {
  newPassthroughParams,
  newTraitsParams,
  newTypeParams,
  passthroughInput,
  traitsInput,
  typeInput,
} from './new-plan-params'
import { planAgainPath } from './plan-again-path'

const CLOUD = 'paris'
const CARD = { host: 'cmp-01', address: '0000:18:00.0' }
const NEXT = { host: 'cmp-01', address: '0000:3b:00.0' }
const NOTHING: Parameters<typeof planAgainPath>[1]['preview'] = {
  targets: [],
  refusals: [],
  unchanged: [],
}

const addressOf = (input: PlanChange, preview = NOTHING): URL =>
  new URL(planAgainPath(input, { cloud: CLOUD, preview }) ?? '', 'https://console.example')

const load = <Parsers extends ParserMap>(parsers: Parsers, address: URL) => createLoader(parsers)(address)

const jsonIn = (address: URL, name: string): unknown => JSON.parse(address.searchParams.get(name) ?? 'null')

/** What the console makes of an input: blanks cut off, defaults filled in. */
const asPlanned = (input: PlanChange | null) => planChangeSchema.parse(input)

describe('the page is filled in with the saved input of', () => {
  test.each<PlanChange>([
    {
      cloud: CLOUD,
      kind: 'traits',
      gpus: [CARD, NEXT],
      rule: 'CUSTOM_GPU_{type}',
      isManaged: true,
      providerConfig: 'write',
    },
    { cloud: CLOUD, kind: 'traits', gpus: [CARD], rule: null, isManaged: false, providerConfig: 'leave' },
    {
      cloud: CLOUD,
      kind: 'traits',
      gpus: { type: 'T4-4C' },
      rule: 'auto',
      isManaged: false,
      providerConfig: 'remove',
    },
  ])('a change of traits', async (input) => {
    const address = addressOf(input)
    expect(address.pathname).toBe('/changes/new')
    expect(asPlanned(traitsInput(CLOUD, load(newTraitsParams, address)))).toEqual(asPlanned(input))
  })

  test.each<Extract<PlanChange, { kind: 'type' }>>([
    {
      cloud: CLOUD,
      kind: 'type',
      gpus: [CARD],
      typeId: 'nvidia-320',
      resourceClass: 'CUSTOM_T4_8C',
      isFlavorLossAccepted: true,
      testBoot: { flavorId: 'f1', imageId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', networks: 'auto' },
    },
    {
      cloud: CLOUD,
      kind: 'type',
      gpus: [CARD],
      typeId: 'nvidia-320',
      resourceClass: null,
      isFlavorLossAccepted: false,
      testBoot: null,
    },
  ])('a change of the vGPU type', (input) => {
    const address = addressOf(input)
    expect(address.pathname).toBe('/changes/new/type')
    expect(asPlanned(typeInput(CLOUD, load(newTypeParams, address)))).toEqual(asPlanned(input))
  })

  test('a change of the vGPU type of a whole host, as the pGPUs that the plan found there', () => {
    const input: PlanChange = {
      cloud: CLOUD,
      kind: 'type',
      gpus: { host: 'cmp-01' },
      typeId: 'nvidia-320',
      resourceClass: null,
      isFlavorLossAccepted: false,
    }
    const address = addressOf(input, { ...NOTHING, targets: [CARD], refusals: [{ ...NEXT, reason: 'held' }] })
    expect(typeInput(CLOUD, load(newTypeParams, address))?.gpus).toEqual([CARD, NEXT])
  })

  test.each<Extract<PlanChange, { kind: 'passthrough' }>>([
    {
      cloud: CLOUD,
      kind: 'passthrough',
      gpus: [CARD],
      to: 'whole',
      alias: 'a100',
      isFlavorLossAccepted: true,
    },
    {
      cloud: CLOUD,
      kind: 'passthrough',
      gpus: [CARD, NEXT],
      to: 'sliced',
      alias: null,
      isFlavorLossAccepted: false,
    },
  ])('a change between slices and the whole card', (input) => {
    const address = addressOf(input)
    expect(address.pathname).toBe('/changes/new/passthrough')
    expect(passthroughInput(CLOUD, load(newPassthroughParams, address))).toEqual(input)
  })

  test('a removal of orphans, of some pGPUs or of all', () => {
    const path = (gpus: Extract<PlanChange, { kind: 'orphans' }>['gpus']) =>
      planAgainPath({ cloud: CLOUD, kind: 'orphans', gpus }, { cloud: CLOUD, preview: NOTHING })
    expect(path([CARD])).toBe('/changes/new/orphans?cloud=paris&gpus=cmp-01%2C0000%3A18%3A00.0')
    expect(path('all')).toBe('/changes/new/orphans?cloud=paris')
  })

  test('a new flavor', () => {
    const input: PlanFlavor = {
      cloud: CLOUD,
      kind: 'flavor',
      isNoMatchAccepted: true,
      input: {
        do: 'create',
        flavor: {
          name: 'vgpu.t4',
          description: 'For tests',
          vcpus: 4,
          // No whole number of GiB, and 10 digits behind the point.
          memoryMib: 1001,
          diskGib: 0,
          isPublic: false,
          extraSpecs: {
            'resources:VGPU': '1',
            'trait:CUSTOM_NVIDIA_T4_4C': 'required',
            'aggregate_instance_extra_specs:gpu': 'true',
          },
          projectIds: ['p1', 'p2'],
        },
        aggregate: { name: 'gpu-hosts', hosts: ['cmp-01'], properties: { gpu: 'true' } },
      },
    }
    const planned = newFlavorInputSchema.parse(jsonIn(addressOf(input), 'input'))
    expect(asPlanned(planOfNew(CLOUD, planned))).toEqual(asPlanned(input))
  })

  test.each([undefined, null, 'For tests'])('a change of flavors with the description %s', (description) => {
    const input: PlanFlavor = {
      cloud: CLOUD,
      kind: 'flavor',
      isNoMatchAccepted: false,
      input: {
        do: 'change',
        flavorIds: ['f1', 'f2'],
        trait: 'CUSTOM_NVIDIA_T4_4C',
        set: { 'hw:cpu_policy': 'dedicated' },
        unset: ['hw:numa_nodes', 'quota:cpu_shares'],
        ...(description === undefined ? {} : { description }),
        grant: ['p1'],
        revoke: ['p2'],
        aggregate: null,
      },
    }
    const address = addressOf(input)
    const planned = flavorChangeInputSchema.parse(jsonIn(address, 'change'))
    expect(jsonIn(address, 'flavors')).toEqual(['f1', 'f2'])
    expect(asPlanned(planOfChange(CLOUD, ['f1', 'f2'], planned))).toEqual(asPlanned(input))
  })

  test.each<PlanReservation['input']>([
    {
      way: 'cpus',
      host: 'cmp-01',
      sharedSet: '0-11',
      dedicatedSet: '12-23',
      reservedMemoryMib: 8192,
      flavorIds: ['f1'],
      isMoving: true,
    },
    {
      way: 'cpus',
      host: 'cmp-01',
      sharedSet: '0-11',
      dedicatedSet: '12-23',
      reservedMemoryMib: null,
      flavorIds: [],
      isMoving: false,
    },
    {
      way: 'isolated',
      hosts: ['cmp-01', 'cmp-02'],
      aggregate: 'gpus',
      trait: 'CUSTOM_GPUS',
      flavorIds: ['f1'],
      isMoving: true,
    },
    {
      way: 'forbidden',
      hosts: ['cmp-01'],
      aggregate: 'gpus',
      trait: 'CUSTOM_GPUS',
      flavorIds: [],
      isMoving: false,
    },
    {
      way: 'second-service',
      host: 'cmp-01',
      secondHost: 'cmp-01-gpu',
      sharedSet: '0-11',
      dedicatedSet: '12-23',
      memoryMib: 0,
    },
  ])('a capacity reservation: %o', (planned) => {
    const address = addressOf({ cloud: CLOUD, kind: 'fence', input: planned })
    expect(inputOf(load(reservationParams, address))).toEqual(planned)
  })

  test('a change of limits', () => {
    const input: PlanLimits = {
      cloud: CLOUD,
      kind: 'limits',
      limits: [
        { resourceName: 'class:VGPU', projectId: null, value: -1 },
        { resourceName: 'class:VGPU', projectId: 'p1', value: 8 },
        { resourceName: 'servers', projectId: 'p1', value: null },
      ],
    }
    const address = addressOf(input)
    expect(address.pathname).toBe('/changes/new/limits')
    const keys = limitKeysSchema.parse(jsonIn(address, 'limits'))
    expect(planOfTexts(CLOUD, keys, jsonIn(address, 'to') as string[])).toEqual(input)
  })

  const SET_UP = { user: 'nova-api', domainId: 'd-service', removesStrays: true }
  const limit = (projectId: string | null) => ({ resourceName: 'class:VGPU', projectId, value: 4 })

  test.each([
    ['all projects but one', { limits: [limit(null)], projects: { except: ['p2'] } }, { except: ['p2'] }],
    ['some projects', { limits: [limit(null)], projects: { only: ['p1'] } }, { only: ['p1'] }],
    // A plan of an older console names them by their limits.
    ['named limits', { limits: [limit(null), limit('p1')] }, { only: ['p1'] }],
  ])('a set-up of unified limits, with %s', (_, { limits, ...chosen }, projects) => {
    const input: PlanLimits = { cloud: CLOUD, kind: 'limits', limits, setUp: { ...SET_UP, ...chosen } }
    const address = addressOf(input)
    const needed = {
      resourceName: 'class:VGPU',
      flavor: null,
      registered: null,
      withoutRegion: null,
      means: { kind: 'number' as const, value: 0, origin: 'missing' as const },
      proposed: 12,
      because: 'none',
    }
    const setUp = {
      user: address.searchParams.get('user') ?? '',
      domainId: address.searchParams.get('domain'),
      needed: [needed],
    }
    const planned = setUpInputSchema.parse(jsonIn(address, 'input'))
    expect(address.pathname).toBe('/quotas/set-up')
    expect(planOfSetUp(CLOUD, setUp, planned)).toEqual({
      ...{ ...input, limits: [limit(null)] },
      setUp: { ...SET_UP, projects },
    })
  })
})

const FILTER = { q: 'cmp-r2', model: ['NVIDIA T4'], aggregate: ['gpu,one', 'b&c'], holds: 'free' } as const

test('a filter stays a filter', () => {
  const filter = { ...FILTER, model: [...FILTER.model], aggregate: [...FILTER.aggregate] }
  const traits: PlanChange = { cloud: CLOUD, kind: 'traits', gpus: { filter }, rule: 'auto' }
  expect(asPlanned(traitsInput(CLOUD, load(newTraitsParams, addressOf(traits))))).toEqual(asPlanned(traits))
  const type: PlanChange = {
    ...{ cloud: CLOUD, kind: 'type', typeId: 'nvidia-320', resourceClass: null, isFlavorLossAccepted: false },
    ...{ gpus: { filter }, testBoot: null },
  }
  const address = addressOf(type, { ...NOTHING, targets: [CARD, NEXT] })
  expect(asPlanned(typeInput(CLOUD, load(newTypeParams, address)))).toEqual(asPlanned(type))
  expect(address.searchParams.get('gpus')).toBe('cmp-01,0000:18:00.0')
  const whole: PlanChange = {
    ...{ cloud: CLOUD, kind: 'passthrough', gpus: { filter } },
    ...{ to: 'whole', alias: null, isFlavorLossAccepted: false },
  }
  expect(asPlanned(passthroughInput(CLOUD, load(newPassthroughParams, addressOf(whole))))).toEqual(
    asPlanned(whole),
  )
  const orphans: PlanChange = { cloud: CLOUD, kind: 'orphans', gpus: { filter } }
  expect(addressOf(orphans).searchParams.get('filter')).toBe(address.searchParams.get('filter'))
})

test('an aggregate of more GPUs than an address takes stays a filter, without their names', () => {
  const targets = Array.from({ length: 201 }, (_, index) => ({ ...CARD, host: `cmp-${index}` }))
  const rest = { cloud: CLOUD, kind: 'type', typeId: 'nvidia-320', resourceClass: null } as const
  const type = (gpus: Extract<PlanChange, { kind: 'type' }>['gpus']): PlanChange => ({
    ...rest,
    ...{ gpus, isFlavorLossAccepted: false },
  })
  const address = addressOf(type({ aggregate: 'gpus' }), { ...NOTHING, targets })
  expect(address.search.length).toBeLessThan(200)
  expect(typeInput(CLOUD, load(newTypeParams, address))?.gpus).toMatchObject({
    filter: { q: '', aggregate: ['gpus'] },
  })
  expect(planAgainPath(type(targets), { cloud: CLOUD, preview: NOTHING })).toBeNull()
})
