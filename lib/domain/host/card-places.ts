import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'

/** The pGPUs in the report's order, and for each function its type and the place of its card. */
export type CardPlaces = {
  addresses: string[]
  placeOf: ReadonlyMap<string, number>
  /** The vGPU types of VFs that run one by vendor VFIO. */
  typeOf: ReadonlyMap<string, string>
  /** Each function stands once. */
  isPlain: boolean
}

/** A device and its VFs. */
export const functionsOf = (gpu: GpuDevice): (GpuDevice | GpuDevice['virtualFunctions'][number])[] => [
  gpu,
  ...gpu.virtualFunctions,
]

export const readPlaces = (gpus: readonly GpuDevice[]): CardPlaces => {
  const cards = gpus.filter(isGpu)
  const placeOf = new Map<string, number>()
  const typeOf = new Map<string, string>()
  let functions = 0
  for (const [place, gpu] of cards.entries()) {
    for (const { address } of functionsOf(gpu)) placeOf.set(address, place)
    functions += 1 + gpu.virtualFunctions.length
    for (const { address, vendorVfio } of gpu.virtualFunctions) {
      const running = vendorVfio?.currentType ?? 0
      if (running > 0) typeOf.set(address, vendorTypeId(running))
    }
  }
  return {
    addresses: cards.map((gpu) => gpu.address),
    placeOf,
    typeOf,
    isPlain: placeOf.size === functions,
  }
}

type Parent = Pick<GpuDevice, 'address' | 'mdevTypes' | 'vendorVfio'>

const isSameParent = (a: Parent, b: Parent | undefined): boolean =>
  a.address === b?.address &&
  (a.mdevTypes === null) === (b.mdevTypes === null) &&
  (a.vendorVfio === null) === (b.vendorVfio === null)

/**
 * Whether two readings of a device tell the same of what others than itself look at: which functions it has, whether they are
 * parents of vGPUs, and what makes it a GPU of its model. Numbers of vGPUs, types that run and drivers may differ.
 */
export const isSameLayout = (a: GpuDevice, b: GpuDevice): boolean =>
  a === b ||
  (isSameParent(a, b) &&
    a.vendorId === b.vendorId &&
    a.deviceId === b.deviceId &&
    a.classCode === b.classCode &&
    a.sriov?.totalVfs === b.sriov?.totalVfs &&
    a.virtualFunctions.length === b.virtualFunctions.length &&
    a.virtualFunctions.every((vf, place) => isSameParent(vf, b.virtualFunctions[place])))
