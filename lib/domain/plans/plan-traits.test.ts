import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { a40Cloud, editGpuProviders, editHosts, editList, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { planTraits } from './plan-traits'

const plan = (input: FleetFacts, rule = DEFAULT_TRAIT_RULE) => {
  const fleet = joinFleet(input)
  const gpus = fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
  return planTraits(fleet, { gpus, rule })
}

const withTraits = (input: FleetFacts, traits: string[]) =>
  editGpuProviders(input, (provider) => ({ ...provider, traits }))

it('makes the trait, puts it on, takes that of another type off and leaves what is foreign', () => {
  const { steps, targets, title } = plan(withTraits(t4Cloud(), ['CUSTOM_GRID_T4_16C', 'CUSTOM_RACK_7']))
  expect(title).toBe('CUSTOM_NVIDIA_T4_4C on 1 pGPU')
  expect(targets).toHaveLength(1)
  expect(steps.map(({ id }) => id.split('/')[0])).toEqual(['create-trait', 'set-traits'])
  expect(steps[1]?.title).toMatch(/^Put CUSTOM_NVIDIA_T4_4C on .*, take CUSTOM_GRID_T4_16C off$/)
  expect(steps[1]?.calls[1]).toContain('"traits": ["CUSTOM_NVIDIA_T4_4C","CUSTOM_RACK_7"]')
})

it('has no step for what is already as wanted, whatever else names the type', () => {
  const { steps, unchanged } = plan(withTraits(t4Cloud(), ['CUSTOM_NVIDIA_T4_4C', 'CUSTOM_GRID_T4_4C']))
  expect(steps).toEqual([])
  expect(unchanged).toHaveLength(1)
})

it('has a step for each provider of an SR-IOV card', () => {
  const { steps } = plan(withTraits(a40Cloud(), []))
  const providers = joinFleet(a40Cloud()).hosts[0]?.pgpus[0]?.providers.length ?? 0
  expect(providers).toBeGreaterThan(1)
  expect(steps).toHaveLength(1 + providers)
})

it('leaves PCI devices in Placement alone and says where their traits belong', () => {
  const input = editGpuProviders(t4Cloud(), (provider) => ({
    ...provider,
    name: provider.name.replace(/_pci_(\w{4})_(\w\w)_(\w\w)_(\w)$/, '_$1:$2:$3.$4'),
  }))
  const { steps, refusals } = plan(input)
  expect(steps).toEqual([])
  expect(refusals[0]?.reason).toContain('device_spec')
})

it('refuses a silent host, and a card that Placement does not know, each with its reason', () => {
  const silent = plan(editHosts(t4Cloud(), (inventory) => inventory, { isSilent: true }))
  expect(silent.refusals[0]?.reason).toContain('silent since')
  const gone = plan(editGpuProviders(t4Cloud(), () => null))
  expect(gone.refusals[0]?.reason).toContain('no resource provider')
  expect([...silent.steps, ...gone.steps]).toEqual([])
})

it('says which flavors match more pGPUs afterwards', () => {
  const asking = editList(withTraits(t4Cloud(), []), 'flavors', (flavor, place) =>
    place === 0
      ? {
          ...flavor,
          name: 'asks',
          extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_NVIDIA_T4_4C': 'required' },
        }
      : null,
  )
  expect(plan(asking).flavors).toMatchObject([{ name: 'asks', before: 0, after: 1 }])
})
