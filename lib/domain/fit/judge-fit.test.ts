import { describe, expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { Flavor } from '@/lib/domain/cloud/types'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editList,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { vfOf } from '@/lib/domain/testing/offers'
import { answerCount } from './answer-count'
import { flavorQuestion } from './explain-fit'
import type { JudgedFit, PlacementWord } from './judge-fit'
import { explainFit, judgeFit } from './testing/fit-at-once'

const T4 = buildFlavor({ name: 't4', extraSpecs: { 'resources:VGPU': '1' } })
const PAIR = buildFlavor({
  name: 'pair',
  extraSpecs: { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' },
})
const AWAY: PlacementWord = { state: 'away' }
const answered = (roots: string[] | null, input: FleetFacts, isCut = false): PlacementWord => ({
  state: 'answered',
  roots: new Set(roots ?? (input.facts.providers.value ?? []).map(({ rootUuid }) => rootUuid)),
  isCut,
})
const judge = (input: FleetFacts, word: PlacementWord, flavor: Flavor = T4): JudgedFit =>
  judgeFit(explainFit(joinFleet(input), flavorQuestion(flavor)), word)

const fullCards = (input: FleetFacts): FleetFacts =>
  editHosts(input, (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({
      ...gpu,
      mdevTypes: (gpu.mdevTypes ?? []).map(([index]) => [index, 0] as [number, number]),
    })),
    mdevs: (inventory.mdevs ?? []).slice(0, 2),
  }))

describe('Placement’s answer against what was read', () => {
  it('agrees', () => {
    const input = t4Cloud()
    expect(judge(input, answered(null, input))).toMatchObject({
      fits: 2,
      fittingHosts: 1,
      hosts: [{ state: 'fits', isOffered: true, discrepancy: null, reasons: [] }],
    })
  })

  it('offers more than the card can create: an overcommitment', () => {
    const input = fullCards(t4Cloud())
    const { fits, hosts } = judge(input, answered(null, input))
    expect([fits, hosts[0]?.discrepancy, hosts[0]?.reasons[0]?.kind]).toEqual([0, 'over-promise', 'hardware'])
  })

  it('offers more than an SR-IOV card has, and the host still fits some', () => {
    const input = a40Cloud()
    const [root, ...rest] = input.facts.providers.value ?? []
    if (root === undefined) throw new Error('the cloud has no root provider')
    const more = Array.from({ length: 20 }, (_, n) =>
      mdevProvider(root, {
        address: vfOf('0000:20:00.0', 12 + n),
        n: 12 + n,
        inventories: { VGPU: inventoryOf(1, 0) },
      }),
    )
    const promised = withFacts(input, { providers: readPart([root, ...rest, ...more]) })
    expect(judge(promised, answered(null, promised)).hosts[0]).toMatchObject({
      state: 'fits',
      discrepancy: 'over-promise',
      fits: { value: 9 },
      byPlacement: { value: 29 },
    })
  })

  it('offers a card that is not there', () => {
    const [root] = t4Cloud().facts.providers.value ?? []
    if (root === undefined) throw new Error('the cloud has no root provider')
    const full = editGpuProviders(t4Cloud(), (entry) => ({
      ...entry,
      inventories: { VGPU: inventoryOf(4, 4) },
    }))
    const stray = mdevProvider(root, {
      address: '0000:fe:00.0',
      n: 99,
      inventories: { VGPU: inventoryOf(4, 0) },
    })
    const input = withFacts(full, { providers: readPart([...(full.facts.providers.value ?? []), stray]) })
    expect(judge(input, AWAY).hosts[0]).toMatchObject({
      discrepancy: 'over-promise',
      reasons: [{ kind: 'device' }, { kind: 'full' }],
    })
  })

  it('offers nothing where a vGPU is free, for an unknown reason', () => {
    const input = t4Cloud()
    expect(judge(input, answered([], input)).hosts[0]).toMatchObject({
      state: 'blocked',
      fits: { value: 0 },
      discrepancy: 'unexplained',
      reasons: [{ kind: 'unexplained' }],
    })
  })

  it('offers a host that by its traits should not be offered: unknown', () => {
    const input = t4Cloud()
    const flavor = { ...T4, extraSpecs: { ...T4.extraSpecs, 'trait:CUSTOM_NOWHERE': 'required' } }
    expect(judge(input, answered(null, input), flavor).hosts[0]).toMatchObject({
      state: 'unknown',
      discrepancy: 'unexplained',
      reasons: [{ kind: 'unexplained' }, { kind: 'trait' }],
    })
  })

  it('offers a disabled host: that is Nova’s business, and no contradiction', () => {
    const input = editList(t4Cloud(), 'services', (service) => ({ ...service, status: 'disabled' as const }))
    expect(judge(input, answered(null, input)).hosts[0]).toMatchObject({
      state: 'blocked',
      discrepancy: null,
      reasons: [{ kind: 'service' }],
    })
  })

  it('is cut: a host that is not in it is judged by what was read', () => {
    const input = t4Cloud()
    expect(judge(input, answered([], input, true)).hosts[0]).toMatchObject({
      isOffered: null,
      fits: { value: 2 },
    })
  })

  it('is a refusal: nothing lands anywhere', () => {
    const judged = judge(t4Cloud(), { state: 'refused', because: 'No such trait(s): CUSTOM_X.' })
    expect(judged).toMatchObject({ fits: 0, unknownHosts: 0 })
    expect(judged.hosts[0]?.reasons).toEqual([{ kind: 'refused', because: 'No such trait(s): CUSTOM_X.' }])
  })

  it('of a silent host: its no is enough, its yes is not', () => {
    const silent = { ...t4Cloud(), hosts: t4Cloud().hosts.map((host) => ({ ...host, isSilent: true })) }
    expect(judge(silent, answered(null, silent))).toMatchObject({ fits: 0, unknownHosts: 1 })
    const full = editGpuProviders(silent, (entry) => ({ ...entry, inventories: { VGPU: inventoryOf(4, 4) } }))
    expect(judge(full, answered([], full))).toMatchObject({
      unknownHosts: 0,
      hosts: [{ state: 'blocked', reasons: [{ kind: 'full' }] }],
    })
  })
})

describe('the main reason', () => {
  it('is the card that never could, before the memory that is short', () => {
    const poor = editList(t4Cloud(), 'providers', (provider) =>
      provider.parentUuid === null
        ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(1024, 1024) } }
        : provider,
    )
    expect(judge(poor, AWAY).hosts[0]?.reasons.map(({ kind }) => kind)).toEqual(['memory'])
    const flavor = { ...T4, extraSpecs: { ...T4.extraSpecs, 'trait:CUSTOM_NOWHERE': 'required' } }
    expect(judge(poor, AWAY, flavor).hosts[0]?.reasons.map(({ kind }) => kind)).toEqual(['trait', 'memory'])
  })

  it('is the distribution of the parts if each part alone fits', () => {
    expect(judge(t4Cloud(), AWAY, PAIR).hosts[0]?.reasons[0]?.kind).toBe('together')
  })
})

describe('so many at once', () => {
  const judged = (rest: Partial<JudgedFit>): JudgedFit => ({
    fits: 6,
    byPlacement: 6,
    atOnce: 4,
    fittingHosts: 2,
    unknownHosts: 0,
    isExact: true,
    hosts: [],
    ...rest,
  })

  it.each([
    [4, {}, 'yes'],
    [5, {}, 'one-by-one'],
    [7, {}, 'no'],
    [4, { unknownHosts: 1 }, 'yes'],
    [5, { unknownHosts: 1 }, 'cannot-tell'],
    [5, { isExact: false }, 'cannot-tell'],
    [1, { fits: 0, atOnce: 0 }, 'no'],
  ])('%i of %j: %s', (count, rest, answer) => {
    expect(answerCount(judged(rest), count, null).answer).toBe(answer)
  })

  it('old data reports nothing', () => {
    expect(answerCount(judged({}), 1, 'too old')).toEqual({ answer: 'cannot-tell', because: 'too old' })
  })
})

it('a card with unknown values leaves what the others certainly take', () => {
  const input = buildHealthyCloud([
    {
      cards: [
        { kind: 'T4', used: 1, spare: 1 },
        { kind: 'T4', used: 1, spare: 1 },
      ],
      hasDomain: false,
    },
  ])
  const mute = editHosts(input, (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu, index) =>
      index > 0
        ? gpu
        : { ...gpu, mdevTypes: (gpu.mdevTypes ?? []).map(([type]) => [type, null] as [number, null]) },
    ),
  }))
  expect(judge(mute, AWAY)).toMatchObject({
    fits: 3,
    fittingHosts: 1,
    unknownHosts: 1,
    hosts: [{ state: 'unknown', surely: { fits: 3 }, byPlacement: { value: 6 } }],
  })
})

it('a card on another type than the configured one has for Nova what the driver makes of that', () => {
  const retyped = editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    novaConfig: novaConf(
      '[devices]\nenabled_mdev_types = nvidia-320\n[mdev_nvidia-320]\ndevice_addresses = 0000:20:00.0\n',
    ),
  }))
  expect(judge(retyped, AWAY).hosts[0]).toMatchObject({
    fits: { value: 0 },
    byPlacement: { value: 2 },
    discrepancy: 'over-promise',
    reasons: [{ kind: 'hardware' }],
  })
})
