import { expect, it } from 'vitest'
import type { FleetFacts, ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { a40Cloud, editGpuProviders, editNovaConf, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { vfOf } from '@/lib/domain/testing/offers'
import { planTypeChange } from '../type-change/plan-type-change'

const CARD = '0000:20:00.0'

const plan = (input: FleetFacts, typeId: string) =>
  planTypeChange(joinFleet(input), {
    gpus: [{ host: 'cmp-1', address: CARD }],
    typeId,
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  })

const moved = (input: FleetFacts, typeId: string, direction: 'off' | 'on') =>
  plan(input, typeId).steps.flatMap(({ task }) =>
    task.kind === 'move-traits' && task.direction === direction ? [task] : [],
  )

/** An A40 of which six VFs have A40-8Q; the others have no provider. */
const sixVfs = (): FleetFacts => {
  const listed = Array.from({ length: 6 }, (_, placement) => vfOf(CARD, placement))
  const input = editNovaConf(
    buildHealthyCloud([{ cards: [{ kind: 'A40', used: 0, spare: 0 }], hasDomain: false }]),
    `[devices]\nenabled_mdev_types = nvidia-562\n[mdev_nvidia-562]\ndevice_addresses = ${listed.join(',')}`,
  )
  return editGpuProviders(input, (provider, placement) =>
    placement > 6 ? null : { ...provider, traits: ['CUSTOM_A40_8Q', 'CUSTOM_RACK_7'] },
  )
}

it('tags VFs that come with a smaller type like their neighbours', () => {
  expect(moved(sixVfs(), 'nvidia-560', 'off')).toHaveLength(6)
  const on = moved(sixVfs(), 'nvidia-560', 'on')
  expect(on).toHaveLength(12)
  expect(new Set(on.map(({ provider }) => provider.name)).size).toBe(12)
  for (const { traits, foreign } of on)
    expect([traits, foreign]).toEqual([['CUSTOM_A40_4Q'], ['CUSTOM_RACK_7']])
  const seen = plan(sixVfs(), 'nvidia-560').steps.filter(({ id }) => id.startsWith('move-traits/on/'))
  expect(seen.at(-1)?.sees).toContain('Placement has no provider cmp-1_pci_0000_20_')
})

it('tags no more VFs than a larger type has', () => {
  expect(moved(a40Cloud(), 'nvidia-562', 'on')).toHaveLength(6)
})

const keeping = (input: FleetFacts, managed: readonly Partial<ManagedTrait>[]): FleetFacts => ({
  ...input,
  managedTraits: managed.map((one) => ({
    host: 'cmp-1',
    pgpuAddress: CARD,
    address: CARD,
    providerName: 'cmp-1_pci_0000_20_00_0',
    trait: 'CUSTOM_T4_4C',
    typeId: 'nvidia-319',
    typeName: 'T4-4C',
    providerUuid: null,
    problem: null,
    ...one,
  })),
})

const managedAfter = (input: FleetFacts) =>
  plan(input, 'nvidia-320').steps.flatMap(({ task }) => (task.kind === 'keep-traits' ? [task.after] : []))

it('manages the trait of the new type where that of the old one was managed, and keeps those of others', () => {
  const input = editGpuProviders(t4Cloud(), (provider) => ({
    ...provider,
    traits: ['CUSTOM_T4_4C', 'CUSTOM_RACK_7'],
  }))
  const placement = {
    address: CARD,
    providerName: 'cmp-1_pci_0000_20_00_0',
    typeId: 'nvidia-320',
    typeName: 'T4-8C',
  }
  expect(managedAfter(keeping(input, [{}, { trait: 'CUSTOM_RACK_7' }]))).toEqual([
    [
      { ...placement, trait: 'CUSTOM_T4_8C' },
      { ...placement, trait: 'CUSTOM_RACK_7' },
    ],
  ])
  expect(managedAfter(keeping(input, []))).toEqual([])
})

it('keeps no longer what was removed before, since no provider will carry it', () => {
  expect(managedAfter(keeping(t4Cloud(), [{ trait: 'CUSTOM_RACK_7' }]))).toEqual([[]])
})
