import { availableInstances } from '@/simulator/gpu-rules/availability'
import type { GpuSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { configuredType, holderOf, isSliced, type SlicedGpu } from './host-lookup'

/** A device for a guest: an existing vGPU to reuse, a slot to create one in, or a whole card. */
export type DeviceChoice =
  | { kind: 'spare'; gpu: SlicedGpu; uuid: string; slot: string; typeId: string }
  | { kind: 'new'; gpu: SlicedGpu; slot: string; typeId: string }
  | { kind: 'whole'; gpu: GpuSpec }

/** Type by pGPU that an operator's boot script writes into VFs of vendor VFIO; Nova does not know it. */
export type VendorPlan = Record<string, string>

/** Of a VF the type that is written into it, regardless of the plan; of an empty one that of its neighbours. */
const vendorType = (gpu: SlicedGpu, slot: string, plan: VendorPlan): string | null => {
  const { vgpus } = gpu.slicing.state
  const own = vgpus.find((vgpu) => vgpu.slot === slot)
  return (own ?? vgpus[0])?.typeId ?? plan[gpu.address] ?? null
}

/** What a new guest would get at a slot: of mdevs the type that nova-compute works with. */
export const wantedType = (spec: HostSpec, gpu: SlicedGpu, slot: string, plan: VendorPlan): string | null =>
  gpu.slicing.interface === 'mdev' ? configuredType(spec, slot) : vendorType(gpu, slot, plan)

/** Nova takes an unassigned vGPU of the configured type before it makes an mdev; to a VF it gives no type. */
const choiceOnGpu = (spec: HostSpec, gpu: SlicedGpu, plan: VendorPlan): DeviceChoice | null => {
  const { state } = gpu.slicing
  const spare = state.vgpus.find(
    (vgpu) => holderOf(spec, gpu, vgpu) === null && wantedType(spec, gpu, vgpu.slot, plan) === vgpu.typeId,
  )
  if (spare !== undefined)
    return { kind: 'spare', gpu, uuid: spare.uuid, slot: spare.slot, typeId: spare.typeId }
  if (gpu.slicing.interface !== 'mdev') return null
  for (const slot of state.slots) {
    const typeId = wantedType(spec, gpu, slot, plan)
    if (typeId !== null && availableInstances(state, slot, typeId) > 0)
      return { kind: 'new', gpu, slot, typeId }
  }
  return null
}

const isFreeWhole = (spec: HostSpec, gpu: GpuSpec): boolean =>
  gpu.driver === 'vfio-pci' &&
  isGroupViable(spec, gpu) &&
  !spec.guests.some((guest) => guest.pciDevices.includes(gpu.address))

/** QEMU takes a device only when no driver of the host holds another one of its IOMMU group. */
const isGroupViable = ({ gpus, otherDevices }: HostSpec, gpu: GpuSpec): boolean =>
  gpu.iommuGroup === null ||
  [...gpus, ...otherDevices].every(
    ({ iommuGroup, driver }) => iommuGroup !== gpu.iommuGroup || driver === null || driver === 'vfio-pci',
  )

/** One choice for every pGPU with free capacity for another guest. */
export const deviceChoices = (spec: HostSpec, plan: VendorPlan): DeviceChoice[] =>
  spec.gpus.flatMap((gpu): DeviceChoice[] => {
    if (!isSliced(gpu)) return isFreeWhole(spec, gpu) ? [{ kind: 'whole', gpu }] : []
    const choice = choiceOnGpu(spec, gpu, plan)
    return choice === null ? [] : [choice]
  })
