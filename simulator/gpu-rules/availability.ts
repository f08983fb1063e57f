import type { GpuState, RuleType } from './gpu-state'

const typeOf = (state: GpuState, typeId: string): RuleType | null =>
  state.types.find((type) => type.typeId === typeId) ?? null

const sizeInUse = (state: GpuState): number =>
  state.vgpus.reduce((sum, vgpu) => sum + (typeOf(state, vgpu.typeId)?.framebufferMib ?? 0), 0)

const freeInstances = (state: GpuState, profile: string): number => {
  const instances = (state.gpuInstances ?? []).filter((instance) => instance.profile === profile).length
  const taken = state.vgpus.filter((vgpu) => typeOf(state, vgpu.typeId)?.migProfile === profile).length
  return Math.max(0, instances - taken)
}

const isShareable = (state: GpuState, type: RuleType): boolean => {
  if (state.sharing === 'mixed-size') return true
  return state.vgpus.every((vgpu) => {
    if (state.sharing === 'same-type') return vgpu.typeId === type.typeId
    return typeOf(state, vgpu.typeId)?.framebufferMib === type.framebufferMib
  })
}

/** How many more vGPUs of a type the whole GPU would take, slots left aside. */
const freeOnGpu = (state: GpuState, type: RuleType): number => {
  if (type.migProfile !== null) return freeInstances(state, type.migProfile)
  if (state.gpuInstances !== null || !isShareable(state, type)) return 0
  if (state.sharing !== 'mixed-size') return Math.max(0, type.maxInstance - state.vgpus.length)
  const made = state.vgpus.filter((vgpu) => vgpu.typeId === type.typeId).length
  const byMemory = Math.floor((state.framebufferMib - sizeInUse(state)) / type.framebufferMib)
  return Math.max(0, Math.min(type.maxInstance - made, byMemory))
}

/**
 * `available_instances` of a type at a slot: what is left of the GPU's maximum, on a VF at most 1, and 0 everywhere
 * once the GPU is full (NVIDIA vGPU guide; Nova's slides show it for nvidia-468).
 */
export const availableInstances = (state: GpuState, slot: string, typeId: string): number => {
  const type = typeOf(state, typeId)
  if (type === null || !state.slots.includes(slot)) return 0
  const free = freeOnGpu(state, type)
  if (!state.isOnePerSlot) return free
  const isTaken = state.vgpus.some((vgpu) => vgpu.slot === slot)
  return isTaken ? 0 : Math.min(1, free)
}

/** Types that the driver would make at a slot now, in its own order: the content of `creatable_vgpu_types`. */
export const creatableTypes = (state: GpuState, slot: string): string[] =>
  state.types.map((type) => type.typeId).filter((typeId) => availableInstances(state, slot, typeId) > 0)
