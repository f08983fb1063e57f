import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import type { GpuSpec, GuestSpec, HostSpec, SlicingSpec } from '@/simulator/host-tree/host-spec'

export type SlicedGpu = GpuSpec & { slicing: SlicingSpec }

export const isSliced = (gpu: GpuSpec): gpu is SlicedGpu => gpu.slicing !== null

export const gpuOfSlot = (spec: HostSpec, slot: string): SlicedGpu | null =>
  spec.gpus.filter(isSliced).find((gpu) => gpu.slicing.state.slots.includes(slot)) ?? null

export const gpuOfVgpu = (spec: HostSpec, uuid: string): { gpu: SlicedGpu; vgpu: Vgpu } | null => {
  for (const gpu of spec.gpus.filter(isSliced)) {
    const vgpu = gpu.slicing.state.vgpus.find((candidate) => candidate.uuid === uuid)
    if (vgpu !== undefined) return { gpu, vgpu }
  }
  return null
}

/** The guest whose XML contains a vGPU: by uuid for mdevs, by the VF's address for vendor VFIO. */
export const holderOf = (spec: HostSpec, gpu: SlicedGpu, vgpu: Vgpu): GuestSpec | null =>
  spec.guests.find((guest) =>
    gpu.slicing.interface === 'mdev' ? guest.mdevs.includes(vgpu.uuid) : guest.pciDevices.includes(vgpu.slot),
  ) ?? null

/** What nova.conf names for a parent: by address as written (Nova compares raw strings), else the first without addresses. */
export const configuredType = (spec: HostSpec, slot: string): string | null => {
  const byAddress = spec.nova.types.find((type) => type.addresses.includes(slot))
  const fallback = spec.nova.types.find((type) => type.addresses.length === 0)
  return (byAddress ?? fallback)?.typeId ?? null
}

export const withGpu = (spec: HostSpec, changed: GpuSpec): HostSpec => ({
  ...spec,
  gpus: spec.gpus.map((gpu) => (gpu.address === changed.address ? changed : gpu)),
})

export const withGuest = (spec: HostSpec, changed: GuestSpec): HostSpec => ({
  ...spec,
  guests: spec.guests.map((guest) => (guest.uuid === changed.uuid ? changed : guest)),
})
