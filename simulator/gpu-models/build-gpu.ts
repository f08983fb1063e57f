import type { GpuInstance, GpuState, Vgpu } from '@/simulator/gpu-rules/gpu-state'
import type { GpuSpec, SlicingSpec } from '@/simulator/host-tree/host-spec'
import { vfAddress } from '@/simulator/host-tree/pci-address'
import { GPU_MODELS, type GpuModel, type GpuModelName } from './gpu-models'

export type BuildGpu = {
  model: GpuModelName
  address: string
  upstream: string[]
  numaNode: number
  iommuGroup: number
  interface?: 'mdev' | 'vendor-vfio'
  sharing?: GpuState['sharing']
  /** VFs switched on by sriov-manage; all of them by default, 0 leaves the card unsliced. */
  enabledVfs?: number
  /** Profiles of the GPU instances in MIG mode, `['1g.5gb', …]`. */
  migProfiles?: string[]
  hasHeader?: boolean
  vgpus?: Vgpu[]
}

/** Space for the PF's and 31 VFs' groups between two cards whose base groups lie apart this far. */
export const IOMMU_GROUP_STRIDE = 40
const FIRST_VF_OFFSET = 4

const slotsOf = (options: BuildGpu, model: GpuModel, enabledVfs: number): string[] =>
  model.totalVfs === 0
    ? [options.address]
    : Array.from({ length: enabledVfs }, (_, index) => vfAddress(options.address, FIRST_VF_OFFSET, index))

const instancesOf = (profiles: string[] | undefined): GpuInstance[] | null =>
  profiles === undefined ? null : profiles.map((profile, index) => ({ id: index + 7, profile }))

const slicingOf = (
  model: GpuModel,
  { slots, slicing }: { slots: string[]; slicing: SlicingSpec },
): Pick<GpuSpec, 'slicing' | 'vfSlicing'> => {
  if (model.types.length === 0) return { slicing: null }
  return slots.length === 0 ? { slicing: null, vfSlicing: slicing } : { slicing }
}

/** An NVIDIA card under the vGPU manager, by model. */
export const buildGpu = (options: BuildGpu): GpuSpec => {
  const model: GpuModel = GPU_MODELS[options.model]
  const enabledVfs = options.enabledVfs ?? model.totalVfs
  const sharing = options.sharing ?? 'equal-size'
  const slots = slotsOf(options, model, enabledVfs)
  const slicing: SlicingSpec = {
    interface: options.interface ?? 'mdev',
    hasHeader: options.hasHeader ?? true,
    isVirtual: false,
    types: model.types.map((type) => type.driver),
    heterogeneousMode: sharing === 'same-type' ? null : sharing === 'mixed-size' ? 'enabled' : 'disabled',
    state: {
      sharing,
      framebufferMib: Math.ceil(model.framebufferMib / 8192) * 8192,
      types: model.types.map((type) => type.rule),
      slots,
      isOnePerSlot: model.totalVfs > 0,
      gpuInstances: instancesOf(options.migProfiles),
      vgpus: options.vgpus ?? [],
    },
  }
  return {
    address: options.address,
    upstream: options.upstream,
    ids: model.ids,
    driver: 'nvidia',
    numaNode: options.numaNode,
    iommuGroup: options.iommuGroup,
    modelName: model.name,
    framebufferMib: model.framebufferMib,
    sriov:
      model.totalVfs === 0
        ? null
        : {
            totalVfs: model.totalVfs,
            enabledVfs,
            firstVfOffset: FIRST_VF_OFFSET,
            firstIommuGroup: options.iommuGroup + 1,
          },
    ...slicingOf(model, { slots, slicing }),
  }
}

/** A card for passthrough as a whole only: no slicing driver on it. */
export const buildPlainGpu = (
  options: Omit<GpuSpec, 'sriov' | 'slicing' | 'modelName'> & { modelName?: string },
): GpuSpec => ({ ...options, modelName: options.modelName ?? null, sriov: null, slicing: null })
