import { availableInstances } from './availability'
import type { GpuState, Vgpu } from './gpu-state'

export type RuleOutcome = { isDone: true; state: GpuState } | { isDone: false; errno: Errno; reason: string }
export type Errno = 'EINVAL' | 'EEXIST' | 'ENOSPC' | 'ENODEV' | 'EBUSY' | 'EIO'

const refuse = (errno: Errno, reason: string): RuleOutcome => ({ isDone: false, errno, reason })

/** Creates a vGPU as the driver would, or returns the errno with which the write fails. */
export const makeVgpu = (state: GpuState, vgpu: Vgpu): RuleOutcome => {
  const type = state.types.find((candidate) => candidate.typeId === vgpu.typeId)
  if (type === undefined) return refuse('EINVAL', `the GPU has no type ${vgpu.typeId}`)
  if (!state.slots.includes(vgpu.slot)) return refuse('ENODEV', `${vgpu.slot} is no place for a vGPU`)
  if (state.vgpus.some((other) => other.uuid === vgpu.uuid)) return refuse('EEXIST', `${vgpu.uuid} exists`)
  if (availableInstances(state, vgpu.slot, vgpu.typeId) > 0) {
    return { isDone: true, state: { ...state, vgpus: [...state.vgpus, vgpu] } }
  }
  if (type.migProfile !== null) return refuse('EIO', `no free GPU instance of profile ${type.migProfile}`)
  return refuse('ENOSPC', `no capacity for another ${vgpu.typeId} at ${vgpu.slot}`)
}

/** Takes a vGPU away. Whether a guest holds it is the host's business, not the GPU's. */
export const removeVgpu = (state: GpuState, uuid: string): RuleOutcome => {
  const vgpus = state.vgpus.filter((vgpu) => vgpu.uuid !== uuid)
  if (vgpus.length === state.vgpus.length) return refuse('ENODEV', `there is no vGPU ${uuid}`)
  return { isDone: true, state: { ...state, vgpus } }
}
