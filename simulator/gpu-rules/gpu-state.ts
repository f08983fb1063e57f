/**
 * What NVIDIA's driver knows about one physical GPU. Slots are the places where a vGPU can be made: the GPU's own
 * address on cards without SR-IOV, else one per enabled VF.
 */
export type GpuState = {
  /**
   * `same-type`: one type per GPU (vGPU 8 guide). `equal-size`: one framebuffer size per GPU (A2 dump: after one 4 GB
   * vGPU 4Q, 4A and 4C stay creatable). `mixed-size`: all that fit (`nvidia-smi vgpu -shm 1`).
   */
  sharing: 'same-type' | 'equal-size' | 'mixed-size'
  framebufferMib: number
  types: RuleType[]
  slots: string[]
  /** One vGPU per slot, as on VFs; otherwise the slot holds as many as the GPU. */
  isOnePerSlot: boolean
  /** GPU instances in MIG mode; null when MIG is off. */
  gpuInstances: GpuInstance[] | null
  vgpus: Vgpu[]
}

export type RuleType = {
  typeId: string
  framebufferMib: number
  /** Most of this type on one physical GPU. */
  maxInstance: number
  /** MIG profile that backs it (`1g.5gb`); null for time-sliced types. */
  migProfile: string | null
}

export type GpuInstance = { id: number; profile: string }

export type Vgpu = {
  uuid: string
  typeId: string
  slot: string
  iommuGroup: number
}
