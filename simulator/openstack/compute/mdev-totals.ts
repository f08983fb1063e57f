import { availableInstances } from '@/simulator/gpu-rules/availability'
import { configuredType, isSliced, type SlicedGpu } from '@/simulator/host/host-lookup'
import type { HostSpec, NovaTypeSpec } from '@/simulator/host-tree/host-spec'
import { novaRelease } from './compute-host'

/** What nova-compute reports of one mdev parent. Total 0: nothing is to be had of it. */
export type MdevTotal = { slot: string; typeId: string; resourceClass: string; total: number }

type Parent = { gpu: SlicedGpu; slot: string; typeId: string; made: number }

/** `mdev_class` counts only with addresses: the default type is reported as VGPU, regardless of its class. */
export const mdevClassOf = (spec: HostSpec, slot: string): string =>
  spec.nova.types.find((type: NovaTypeSpec) => type.addresses.includes(slot))?.mdevClass ?? 'VGPU'

const parentsOf = (spec: HostSpec): Parent[] =>
  spec.gpus.filter(isSliced).flatMap((gpu) => {
    if (gpu.slicing.interface !== 'mdev') return []
    return gpu.slicing.state.slots.flatMap((slot): Parent[] => {
      const typeId = configuredType(spec, slot)
      if (typeId === null) return []
      const made = gpu.slicing.state.vgpus.filter(
        (vgpu) => vgpu.slot === slot && vgpu.typeId === typeId,
      ).length
      return [{ gpu, slot, typeId, made }]
    })
  })

const isSupported = ({ gpu, typeId }: Parent): boolean =>
  gpu.slicing.types.some((type) => type.typeId === typeId)

/** Per type of the host, since 29.0.0. */
const limitOf = (spec: HostSpec, typeId: string): number | null =>
  novaRelease(spec) < 29
    ? null
    : (spec.nova.types.find((type) => type.typeId === typeId)?.maxInstances ?? null)

/**
 * Totals as Nova's libvirt driver computes them, in libvirt's order: the mdevs that exist are counted first, then what
 * each parent can still make while the type's `max_instances` is not passed; a parent that would pass it gets 0, not
 * the rest (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
export const mdevTotals = (spec: HostSpec): MdevTotal[] => {
  const parents = parentsOf(spec)
  const countOfType = new Map<string, number>()
  for (const { typeId, made } of parents) countOfType.set(typeId, (countOfType.get(typeId) ?? 0) + made)
  return parents.filter(isSupported).map(({ gpu, slot, typeId, made }) => {
    const available = availableInstances(gpu.slicing.state, slot, typeId)
    const count = (countOfType.get(typeId) ?? 0) + available
    const limit = limitOf(spec, typeId)
    const isBeyond = limit !== null && count > limit
    if (!isBeyond) countOfType.set(typeId, count)
    return { slot, typeId, resourceClass: mdevClassOf(spec, slot), total: isBeyond ? 0 : made + available }
  })
}
