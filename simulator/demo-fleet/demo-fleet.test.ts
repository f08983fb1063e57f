import { describe, expect, it } from 'vitest'
import { pciPools } from '@/simulator/openstack/compute/device-specs'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { gpuGuests, hostCapacity, idleVgpus } from '@/simulator/world/host-use'
import { demoFleet } from './demo-fleet'

const startAt = new Date('2026-11-21T12:00:00Z')
const fleet = demoFleet({ seed: 1, startAt })

const hostNamed = (name: string): FleetHost => {
  const host = fleet.find(({ spec }) => spec.name === name)
  if (host === undefined) throw new Error(`the fleet has no host ${name}`)
  return host
}

const gpus = fleet.flatMap((host) => host.spec.gpus)

describe('the demo fleet', () => {
  it('has 35 hosts with 120 pGPUs, in use around 60 percent', () => {
    expect(fleet).toHaveLength(35)
    expect(gpus).toHaveLength(120)
    const capacity = fleet.reduce((sum, host) => sum + hostCapacity(host.spec, host.plan), 0)
    const used = fleet.reduce((sum, host) => sum + gpuGuests(host.spec).length, 0)
    expect(used / capacity).toBeGreaterThan(0.55)
    expect(used / capacity).toBeLessThan(0.68)
  })

  it('shows every way to slice a card', () => {
    const has = (test: (gpu: (typeof gpus)[number]) => boolean): boolean => gpus.some(test)
    expect(has((gpu) => gpu.slicing?.interface === 'mdev' && gpu.sriov === null)).toBe(true)
    expect(has((gpu) => gpu.slicing?.interface === 'mdev' && gpu.sriov !== null)).toBe(true)
    expect(has((gpu) => gpu.slicing?.interface === 'vendor-vfio')).toBe(true)
    expect(has((gpu) => gpu.slicing?.interface === 'mdev' && gpu.slicing.state.gpuInstances !== null)).toBe(
      true,
    )
    expect(
      has((gpu) => gpu.slicing?.interface === 'vendor-vfio' && gpu.slicing.state.gpuInstances !== null),
    ).toBe(true)
    expect(has((gpu) => gpu.driver === 'vfio-pci')).toBe(true)
    expect(has((gpu) => gpu.ids.vendor === '1002')).toBe(true)
    expect(has((gpu) => gpu.ids.vendor === '8086' && gpu.slicing !== null)).toBe(true)
    expect(has((gpu) => gpu.slicing?.isVirtual === true)).toBe(true)
  })

  it('has orphans that lock a card, spares, definitions that will return, and every deployment', () => {
    expect(idleVgpus(hostNamed('cmp-r2-07').spec, {}).filter(({ isWanted }) => !isWanted)).toHaveLength(3)
    const made = new Set(gpus.flatMap((gpu) => gpu.slicing?.state.vgpus.map((vgpu) => vgpu.uuid) ?? []))
    const returning = fleet.flatMap((host) => host.spec.mdevDefinitions).filter(({ uuid }) => !made.has(uuid))
    expect(returning).toHaveLength(2)
    expect(new Set(fleet.map((host) => host.spec.nova.deployment))).toEqual(
      new Set(['package', 'kolla', 'openstack-helm', 'tripleo', 'rhoso', 'snap']),
    )
  })

  it('gave VFs their types at boot, but for one card that its boot script forgot', () => {
    const cards = fleet.flatMap(({ spec }) =>
      spec.gpus
        .filter(({ slicing }) => slicing?.interface === 'vendor-vfio')
        .map((gpu) => ({ gpu, spec, pool: pciPools(spec).find(({ address }) => address === gpu.address) })),
    )
    const forgotten = cards.filter(({ gpu, pool }) => {
      const typed = gpu.slicing?.state.vgpus.map(({ slot }) => slot) ?? []
      return pool?.devices.some((device) => !typed.includes(device))
    })
    expect(cards.length).toBeGreaterThan(15)
    expect(forgotten.map(({ gpu, spec }) => `${spec.name} ${gpu.address}`)).toEqual([
      'cmp-r6-05 0000:e1:00.0',
    ])
  })

  it('is another one for another seed, and shows its best with few hosts too', () => {
    expect(demoFleet({ seed: 1, startAt })).toEqual(fleet)
    expect(demoFleet({ seed: 2, startAt })).not.toEqual(fleet)
    const few = demoFleet({ seed: 1, startAt, hostCount: 4 })
    expect(new Set(few.map((host) => host.spec.gpus[0]?.slicing?.interface))).toEqual(
      new Set(['mdev', 'vendor-vfio']),
    )
  })
})
