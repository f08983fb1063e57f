import { makeVgpu, type RuleOutcome, removeVgpu } from '@/simulator/gpu-rules/make-vgpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { vendorTypeNumber } from '@/simulator/host-tree/render-slicing'
import { gpuOfSlot, gpuOfVgpu, holderOf, type SlicedGpu, withGpu } from './host-lookup'
import { done, type HostOutcome, refused } from './host-outcome'

const applied = (spec: HostSpec, gpu: SlicedGpu, outcome: RuleOutcome): HostOutcome => {
  if (!outcome.isDone) return refused(outcome.errno, outcome.reason)
  return done(withGpu(spec, { ...gpu, slicing: { ...gpu.slicing, state: outcome.state } }))
}

/** First IOMMU group above those of the PCI devices that no mdev has. */
const freeIommuGroup = (spec: HostSpec): number => {
  const taken = new Set(
    spec.gpus.flatMap((gpu) => gpu.slicing?.state.vgpus.map((vgpu) => vgpu.iommuGroup) ?? []),
  )
  let group = 1000
  while (taken.has(group)) group += 1
  return group
}

/** `echo UUID > mdev_supported_types/TYPE/create` at a parent. */
export const makeMdev = (
  spec: HostSpec,
  { slot, typeId, uuid }: { slot: string; typeId: string; uuid: string },
): HostOutcome => {
  const gpu = gpuOfSlot(spec, slot)
  if (gpu === null || gpu.slicing.interface !== 'mdev') return refused('ENODEV', `${slot} is no mdev parent`)
  if (gpuOfVgpu(spec, uuid) !== null) return refused('EEXIST', `${uuid} exists on this host`)
  const vgpu = { uuid, typeId, slot, iommuGroup: freeIommuGroup(spec) }
  return applied(spec, gpu, makeVgpu(gpu.slicing.state, vgpu))
}

/** `echo 1 > UUID/remove`. The kernel knows running guests only: a shut-off guest's mdev goes without a word. */
export const removeMdev = (spec: HostSpec, uuid: string): HostOutcome => {
  const found = gpuOfVgpu(spec, uuid)
  if (found === null || found.gpu.slicing.interface !== 'mdev')
    return refused('ENODEV', `there is no mdev ${uuid}`)
  const holder = holderOf(spec, found.gpu, found.vgpu)
  if (holder !== null && holder.state !== 'shutoff')
    return refused('EBUSY', `${holder.name} runs with ${uuid}`)
  return applied(spec, found.gpu, removeVgpu(found.gpu.slicing.state, uuid))
}

/** Writes a decimal type into a VF's `current_vgpu_type`: 0 takes the vGPU away, another number makes one. */
export const setVendorType = (
  spec: HostSpec,
  { slot, typeNumber, uuid }: { slot: string; typeNumber: string; uuid: string },
): HostOutcome => {
  const gpu = gpuOfSlot(spec, slot)
  if (gpu === null || gpu.slicing.interface !== 'vendor-vfio')
    return refused('ENODEV', `${slot} has no vGPU files`)
  const { state, types } = gpu.slicing
  const present = state.vgpus.find((vgpu) => vgpu.slot === slot)
  if (present !== undefined) {
    const holder = holderOf(spec, gpu, present)
    if (holder !== null && holder.state !== 'shutoff')
      return refused('EBUSY', `${holder.name} runs with ${slot}`)
  }
  const empty =
    present === undefined ? state : { ...state, vgpus: state.vgpus.filter((vgpu) => vgpu !== present) }
  if (typeNumber === '0') return applied(spec, gpu, { isDone: true, state: empty })
  const type = types.find((candidate) => vendorTypeNumber(candidate.typeId) === typeNumber)
  if (type === undefined) return refused('EINVAL', `the GPU has no type ${typeNumber}`)
  return applied(spec, gpu, makeVgpu(empty, { uuid, typeId: type.typeId, slot, iommuGroup: 0 }))
}

/** `virsh nodedev-define` and autostart, as Nova does from 30.0.0 on. */
export const defineMdev = (spec: HostSpec, uuid: string): HostSpec => {
  const found = gpuOfVgpu(spec, uuid)
  if (found === null || spec.mdevDefinitions.some((definition) => definition.uuid === uuid)) return spec
  const definition = { uuid, parent: found.vgpu.slot, typeId: found.vgpu.typeId, start: 'auto' as const }
  return { ...spec, mdevDefinitions: [...spec.mdevDefinitions, definition] }
}

export const undefineMdev = (spec: HostSpec, uuid: string): HostSpec => ({
  ...spec,
  mdevDefinitions: spec.mdevDefinitions.filter((definition) => definition.uuid !== uuid),
})
