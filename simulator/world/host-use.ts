import { type VendorPlan, wantedType } from '@/simulator/host/choose-device'
import { configuredType, holderOf, isSliced, type SlicedGpu } from '@/simulator/host/host-lookup'
import type { GpuSpec, GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'

const capacityOfType = (gpu: SlicedGpu, typeId: string, slots: number): number => {
  const { state } = gpu.slicing
  const type = state.types.find((candidate) => candidate.typeId === typeId)
  if (type === undefined) return 0
  const max =
    type.migProfile === null
      ? type.maxInstance
      : (state.gpuInstances ?? []).filter((instance) => instance.profile === type.migProfile).length
  return state.isOnePerSlot ? Math.min(max, slots) : max
}

const wantedTypes = (spec: HostSpec, gpu: SlicedGpu, plan: VendorPlan): Map<string, number> => {
  const slots = new Map<string, number>()
  for (const slot of gpu.slicing.state.slots) {
    const typeId = wantedType(spec, gpu, slot, plan)
    if (typeId !== null) slots.set(typeId, (slots.get(typeId) ?? 0) + 1)
  }
  return slots
}

const gpuCapacity = (spec: HostSpec, gpu: GpuSpec, plan: VendorPlan): number => {
  if (!isSliced(gpu)) return gpu.driver === 'vfio-pci' ? 1 : 0
  const each = [...wantedTypes(spec, gpu, plan)].map(([typeId, slots]) => capacityOfType(gpu, typeId, slots))
  // Time-sliced types share the GPU's memory; MIG types have their own GPU instances.
  const isMig = gpu.slicing.state.gpuInstances !== null
  return isMig ? each.reduce((sum, count) => sum + count, 0) : Math.max(0, ...each)
}

/** Servers with a GPU that fit on the host when it is full. */
export const hostCapacity = (spec: HostSpec, plan: VendorPlan): number =>
  spec.gpus.reduce((sum, gpu) => sum + gpuCapacity(spec, gpu, plan), 0)

export const gpuGuests = (spec: HostSpec): GuestSpec[] =>
  spec.guests.filter((guest) => guest.mdevs.length + guest.pciDevices.length > 0)

export type IdleVgpu = { gpu: SlicedGpu; uuid: string; slot: string; isWanted: boolean }

/** vGPUs that no guest has; `isWanted` distinguishes spares from orphans. */
export const idleVgpus = (spec: HostSpec, plan: VendorPlan): IdleVgpu[] =>
  spec.gpus.filter(isSliced).flatMap((gpu) =>
    gpu.slicing.state.vgpus
      .filter((vgpu) => holderOf(spec, gpu, vgpu) === null)
      .map(({ uuid, slot, typeId }) => {
        const wanted =
          gpu.slicing.interface === 'mdev' ? configuredType(spec, slot) : (plan[gpu.address] ?? null)
        return { gpu, uuid, slot, isWanted: wanted === typeId }
      }),
  )
