import { describe, expect, it } from 'vitest'
import { hostSpec, novaSpec, novaType, vgpu } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import { makeMdev } from '@/simulator/host/change-vgpus'
import type { HostSpec, NovaTypeSpec } from '@/simulator/host-tree/host-spec'
import { createRandom } from '@/simulator/random/random'
import type { Cloud } from '../cloud'
import { demoImages } from '../demo-cloud/images'
import { createNeutronState } from '../neutron/neutron-state'
import { createNovaState } from '../nova/nova-state'
import { putConsumer } from '../placement/change-allocations'
import { createPlacementState, type Provider, providerNamed } from '../placement/placement-state'
import { RELEASES } from '../releases'
import { mdevTotals } from './mdev-totals'
import { refreshHost } from './refresh-host'

const T4 = {
  upstream: ['pci0000:3a', '0000:3a:00.0'],
  numaNode: 0,
  iommuGroup: 30,
  sharing: 'same-type' as const,
}

/** One T4 for 1-GB types (16 of nvidia-222) by default. */
const t4Host = (
  types: NovaTypeSpec[],
  options: { cards?: number; made?: number; version?: string } = {},
): HostSpec => {
  const gpus = Array.from({ length: options.cards ?? 1 }, (_, index) => {
    const address = `0000:3${index + 1}:00.0`
    const vgpus = Array.from({ length: options.made ?? 0 }, (__, at) => vgpu(address, 'nvidia-222', at))
    return buildGpu({ model: 'T4', address, ...T4, vgpus })
  })
  return hostSpec({ name: 'cmp-1', gpus, nova: novaSpec({ types, version: options.version ?? '29.2.0' }) })
}

const a40Host = (maxInstances: number | null): HostSpec =>
  hostSpec({
    name: 'cmp-1',
    gpus: [
      buildGpu({
        model: 'A40',
        address: '0000:41:00.0',
        upstream: ['pci0000:40'],
        numaNode: 0,
        iommuGroup: 30,
      }),
    ],
    nova: novaSpec({ types: [novaType('nvidia-560', { maxInstances })], version: '30.0.0' }),
  })

const totals = (spec: HostSpec): number[] => mdevTotals(spec).map(({ total }) => total)

const cloud = (): Cloud => ({
  release: RELEASES['2024.1'],
  region: 'RegionOne',
  now: () => new Date('2026-11-21T12:00:00Z'),
  newUuid: createRandom(5).uuid,
  keystone: {} as Cloud['keystone'],
  placement: createPlacementState(),
  nova: createNovaState(),
  neutron: createNeutronState(),
  glance: demoImages(0),
  handTagged: new Set(),
})

const refused: string[] = []
const refresh = (at: Cloud, spec: HostSpec, keepsTraits = false): void =>
  refreshHost(at, spec, {
    rootUuid: 'root',
    isDisabled: false,
    keepsTraits,
    onRefused: ({ message }) => refused.push(message),
  })

const children = ({ placement }: Cloud): Provider[] =>
  [...placement.providers.values()].filter(({ parentUuid }) => parentUuid !== null)

describe('totals', () => {
  it('are what exists and what can still be made', () => {
    expect(totals(t4Host([novaType('nvidia-222')]))).toEqual([16])
    expect(totals(t4Host([novaType('nvidia-222')], { made: 4 }))).toEqual([16])
  })

  it('of an SR-IOV card are 1 for each VF, more than the card holds', () => {
    expect(totals(a40Host(null))).toEqual(Array.from({ length: 32 }, () => 1))
  })

  it('under max_instances are the first in libvirt’s order', () => {
    expect(totals(a40Host(3))).toEqual(Array.from({ length: 32 }, (_, index) => (index < 3 ? 1 : 0)))
  })

  it('are 0 and not cut where one card alone passes max_instances', () => {
    expect(totals(t4Host([novaType('nvidia-222', { maxInstances: 8 })]))).toEqual([0])
    expect(totals(t4Host([novaType('nvidia-222', { maxInstances: 16 })], { cards: 2 }))).toEqual([16, 0])
  })

  it('are 0 everywhere when max_instances is below what exists', () => {
    expect(totals(t4Host([novaType('nvidia-222', { maxInstances: 3 })], { cards: 2, made: 2 }))).toEqual([
      0, 0,
    ])
  })

  it('leave out a card that would pass max_instances, and continue with the next that does not', () => {
    const [first] = t4Host([]).gpus
    const [, second] = t4Host([], { cards: 2, made: 8 }).gpus
    const spec = t4Host([novaType('nvidia-222', { maxInstances: 16 })])
    const gpus = [first, second].filter((gpu) => gpu !== undefined)
    expect(totals({ ...spec, gpus })).toEqual([0, 16])
  })

  it('know no max_instances before 29', () => {
    expect(totals(t4Host([novaType('nvidia-222', { maxInstances: 8 })], { version: '28.0.0' }))).toEqual([16])
  })

  it('of a type that the card does not offer, or by an address in capitals, are nothing at all', () => {
    expect(totals(t4Host([novaType('nvidia-9999')]))).toEqual([])
    const spec = hostSpec({
      name: 'cmp-1',
      gpus: [buildGpu({ model: 'T4', address: '0000:af:00.0', ...T4 })],
      nova: novaSpec({ types: [novaType('nvidia-222', { addresses: ['0000:AF:00.0'] })] }),
    })
    expect(totals(spec)).toEqual([])
  })

  it('have the class of a type with addresses only', () => {
    const [plain] = mdevTotals(t4Host([novaType('nvidia-222', { mdevClass: 'CUSTOM_T4' })]))
    expect(plain?.resourceClass).toBe('VGPU')
    const types = [novaType('nvidia-222', { mdevClass: 'CUSTOM_T4', addresses: ['0000:31:00.0'] })]
    expect(mdevTotals(t4Host(types))[0]?.resourceClass).toBe('CUSTOM_T4')
  })
})

describe('providers', () => {
  it('are deleted when the card is full, and come back under another uuid without their traits', () => {
    const at = cloud()
    const empty = a40Host(null)
    refresh(at, empty)
    const name = 'cmp-1_pci_0000_41_04_3'
    const before = providerNamed(at.placement, name)
    before?.traits.add('CUSTOM_HAND')
    const slots = empty.gpus[0]?.slicing?.state.slots ?? []
    const full = slots.slice(0, 12).reduce((spec, slot, index) => {
      const outcome = makeMdev(spec, {
        slot,
        typeId: 'nvidia-560',
        uuid: `00000000-0000-4000-8000-0000000000${index + 10}`,
      })
      if (!outcome.isDone) throw new Error(outcome.reason)
      return outcome.spec
    }, empty)
    refresh(at, full)
    expect(children(at)).toHaveLength(12)
    expect(providerNamed(at.placement, name)).toBeUndefined()
    refresh(at, empty)
    const after = providerNamed(at.placement, name)
    expect(after?.uuid).not.toBe(before?.uuid)
    expect(after?.traits.size).toBe(0)
  })

  it('keep foreign traits while they live, and get them again by provider_config', () => {
    const at = cloud()
    const spec = t4Host([novaType('nvidia-222')])
    refresh(at, spec)
    children(at)[0]?.traits.add('CUSTOM_HAND')
    refresh(at, spec)
    expect([...(children(at)[0]?.traits ?? [])]).toEqual(['CUSTOM_HAND'])
    refresh(at, spec, true)
    expect([...(children(at)[0]?.traits ?? [])]).toEqual(['CUSTOM_GRID_T4_1B'])
  })

  it('stay permanently when nova-compute no longer reports them', () => {
    const at = cloud()
    refresh(at, t4Host([novaType('nvidia-222')], { cards: 2 }))
    refresh(at, t4Host([novaType('nvidia-222')], { cards: 1 }))
    expect(children(at)).toHaveLength(2)
    refresh(at, t4Host([], { cards: 1 }))
    expect(children(at)).toHaveLength(2)
  })

  it('in use stay with their old numbers when they should go, while the others follow', () => {
    const at = cloud()
    refresh(at, t4Host([novaType('nvidia-222')], { cards: 2, made: 1 }))
    const held = providerNamed(at.placement, 'cmp-1_pci_0000_31_00_0')
    putConsumer(at.placement, {
      uuid: 'server',
      generation: 1,
      projectId: 'p',
      userId: 'u',
      type: 'INSTANCE',
      allocations: new Map([[held?.uuid ?? '', new Map([['VGPU', 1]])]]),
    })
    refused.length = 0
    // The mdevs of nvidia-222 lock both cards, so nvidia-232 gets nothing.
    refresh(at, t4Host([novaType('nvidia-232')], { cards: 2, made: 1 }))
    expect(refused).toEqual([expect.stringContaining('Resource provider has allocations.')])
    expect(children(at).map(({ name }) => name)).toEqual(['cmp-1_pci_0000_31_00_0'])
    expect(held?.inventories.get('VGPU')?.total).toBe(16)
  })

  it('in use refuse another class', () => {
    const at = cloud()
    const types = (mdevClass: string | null) => [
      novaType('nvidia-222', { mdevClass, addresses: ['0000:31:00.0'] }),
    ]
    refresh(at, t4Host(types(null)))
    const [held] = children(at)
    putConsumer(at.placement, {
      uuid: 'server',
      generation: 1,
      projectId: 'p',
      userId: 'u',
      type: 'INSTANCE',
      allocations: new Map([[held?.uuid ?? '', new Map([['VGPU', 1]])]]),
    })
    refused.length = 0
    refresh(at, t4Host(types('CUSTOM_T4')))
    expect(refused).toEqual([expect.stringContaining('in use')])
    expect([...(held?.inventories.keys() ?? [])]).toEqual(['VGPU'])
  })

  it('of VFs with vendor VFIO are one for the card, and lose foreign traits', () => {
    const at = cloud()
    const gpu = buildGpu({
      model: 'L40S',
      address: '0000:41:00.0',
      upstream: ['pci0000:40'],
      numaNode: 0,
      iommuGroup: 30,
      interface: 'vendor-vfio',
    })
    const pci = [
      'report_in_placement = True',
      'device_spec = {"vendor_id": "10de", "product_id": "26b9", "address": "0000:41:00.*", "resource_class": "l40s-8q", "traits": "CUSTOM_FAST"}',
    ]
    const spec = hostSpec({
      name: 'cmp-1',
      gpus: [gpu],
      nova: novaSpec({ version: '32.0.0', sections: { pci } }),
    })
    refresh(at, spec)
    const provider = providerNamed(at.placement, 'cmp-1_0000:41:00.0')
    expect(provider?.inventories.get('CUSTOM_L40S_8Q')?.total).toBe(4)
    provider?.traits.add('CUSTOM_HAND')
    refresh(at, spec)
    expect([...(provider?.traits ?? [])]).toEqual(['CUSTOM_FAST', 'COMPUTE_MANAGED_PCI_DEVICE'])
    const silent = { ...spec, nova: { ...spec.nova, sections: { pci: pci.slice(1) } } }
    const other = cloud()
    refresh(other, silent)
    expect(children(other)).toEqual([])
  })
})
