import { availableInstances } from '@/simulator/gpu-rules/availability'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { addGuest } from './change-guests'
import { defineMdev, makeMdev } from './change-vgpus'
import type { DeviceChoice } from './choose-device'
import { configuredType, gpuOfSlot, holderOf } from './host-lookup'
import { type HostOutcome, refused } from './host-outcome'
import { definesMdevs, spawnGuest } from './spawn-guest'

type Given = { isDone: true; spec: HostSpec; uuid: string } | Extract<HostOutcome, { isDone: false }>

/** The mdev that Nova assigns at a parent: an unassigned one of the configured type, else a new one. */
const mdevAt = (
  spec: HostSpec,
  { slot, taken, uuid }: { slot: string; taken: string[]; uuid: string },
): Given => {
  const gpu = gpuOfSlot(spec, slot)
  const typeId = configuredType(spec, slot)
  if (gpu === null || typeId === null) return refused('ENODEV', `${slot} has no vGPU type`)
  const spare = gpu.slicing.state.vgpus.find(
    (vgpu) =>
      vgpu.slot === slot &&
      vgpu.typeId === typeId &&
      !taken.includes(vgpu.uuid) &&
      holderOf(spec, gpu, vgpu) === null,
  )
  if (spare !== undefined) return { isDone: true, spec, uuid: spare.uuid }
  if (availableInstances(gpu.slicing.state, slot, typeId) < 1)
    return refused('ENOSPC', `${slot} makes no more ${typeId}`)
  const made = makeMdev(spec, { slot, typeId, uuid })
  return made.isDone ? { ...made, uuid } : made
}

/** Spawns a server's guest with a vGPU of each parent in `slots` and the PCI device, as nova-compute does. */
export const spawnServer = (
  spec: HostSpec,
  guest: GuestSpec,
  { slots, pci, newUuid }: { slots: string[]; pci: DeviceChoice | null; newUuid: () => string },
): HostOutcome => {
  let current = spec
  const mdevs: string[] = []
  for (const slot of slots) {
    const given = mdevAt(current, { slot, taken: mdevs, uuid: newUuid() })
    if (!given.isDone) return given
    mdevs.push(given.uuid)
    current = definesMdevs(given.spec) ? defineMdev(given.spec, given.uuid) : given.spec
  }
  if (pci === null) return addGuest(current, { ...guest, mdevs, pciDevices: [] })
  return spawnGuest(current, { ...guest, mdevs }, pci, newUuid())
}
