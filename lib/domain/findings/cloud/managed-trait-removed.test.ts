import { expect, it } from 'vitest'
import type { FleetFacts, ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import {
  editGpuProviders,
  editHosts,
  editNovaConf,
  findOne,
  sentences,
  t4Cloud,
} from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'kept-trait-taken-off'
const healthy = joinFleet(t4Cloud()).hosts[0]
const held = healthy?.pgpus[0]?.providers[0]

const managed = (input: FleetFacts, change: Partial<ManagedTrait> = {}): FleetFacts => ({
  ...input,
  traitMemory: rememberTraits(joinFleet(t4Cloud())),
  managedTraits: [
    {
      host: healthy?.host.name ?? '',
      pgpuAddress: held?.address ?? '',
      address: held?.address ?? '',
      providerName: held?.provider.name ?? '',
      trait: 'CUSTOM_T4_4C',
      typeId: 'nvidia-319',
      typeName: 'T4-4C',
      providerUuid: held?.provider.uuid ?? '',
      problem: null,
      ...change,
    },
  ],
})
const untagged = editGpuProviders(t4Cloud(), (provider) => ({ ...provider, traits: [] }))
const recreated = editGpuProviders(t4Cloud(), (provider) => ({
  ...provider,
  uuid: uuidOf(0x30_0000),
  traits: [],
}))
const codes = (input: FleetFacts) =>
  sentences(input)
    .map((text) => text.split(':')[0])
    .filter((code) => code === CODE || code === 'trait-lost')

it('a managed trait that is missing on the provider that had it', () => {
  const finding = findOne(managed(untagged), CODE)
  expect(finding).toMatchObject({
    sourceToCorrect: 'placement',
    sentence: 'managed trait CUSTOM_T4_4C was removed from its provider',
  })
})

it('the command adds each managed trait to its provider', () => {
  const one = managed(untagged)
  const rack = one.managedTraits.map((trait) => ({ ...trait, trait: 'CUSTOM_RACK_7' }))
  const { command } = findOne({ ...one, managedTraits: [...one.managedTraits, ...rack] }, CODE)
  expect(command).toContain(
    `trait set --trait CUSTOM_RACK_7 --trait CUSTOM_T4_4C ${held?.provider.uuid ?? ''}`,
  )
})

it('is not reported while the trait exists, while it is restored, or while it is not managed', () => {
  expect(codes(managed(t4Cloud()))).toEqual([])
  expect(codes(managed(recreated))).toEqual([])
  expect(codes(untagged)).toEqual([])
})

it('is a loss where the console could not restore it, with the reason', () => {
  const input = managed(recreated, { problem: 'Placement answered 403.' })
  expect(codes(input)).toEqual(['trait-lost'])
  expect(findOne(input, 'trait-lost').nextStep).toContain('Placement answered 403.')
})

it('is neither where the type is another, or the host is silent: then it is lost as before', () => {
  const retyped = editNovaConf(
    recreated,
    '[devices]\nenabled_mdev_types = nvidia-320\n[mdev_nvidia-320]\ndevice_addresses = 0000:20:00.0',
  )
  expect(codes(managed(retyped))).toContain('trait-lost')
  expect(codes(managed(retyped))).not.toContain(CODE)
  expect(codes(managed(editHosts(recreated, (inventory) => inventory, { isSilent: true })))).not.toContain(
    CODE,
  )
})
