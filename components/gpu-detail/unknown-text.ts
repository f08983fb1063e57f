import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { SupportedType } from './sort-types'

type Card = Pick<GpuDetail, 'vendorId' | 'framework'>

/** The kernel's mtty and the like: an mdev parent without a PCI device. */
const isVirtual = ({ vendorId }: Card): boolean => vendorId === null

/** Why the size of a card's memory is not known. */
export const framebufferReason = (gpu: Card): string => {
  if (isVirtual(gpu)) return 'not applicable to a virtual device'
  return gpu.vendorId === '10de'
    ? 'not reported by nvidia-smi, and no vGPU type uses the whole card'
    : 'not reported by any vGPU type'
}

/** Why the NUMA node of a card is not known. */
export const numaReason = (gpu: Card): string =>
  isVirtual(gpu)
    ? 'not applicable to a virtual device'
    : 'the kernel reports -1: the host has one node, or its firmware does not report it'

/** Why the IOMMU group of a card is not known. */
export const groupReason = (gpu: Card): string =>
  isVirtual(gpu) ? 'not applicable to a virtual device' : 'the kernel reports no IOMMU group'

/** Whether the driver lists only the types that it can create now, so that the catalog is partial. */
export const isPartialCatalog = ({ framework }: Card): boolean => framework === 'vendor-vfio'

/** The note in the heading of the catalog. */
export const catalogNote = (gpu: Card, count: number): string =>
  isPartialCatalog(gpu) ? `${count} currently listed by the driver` : `${count}, as reported by the driver`

export type TypeOrigin = 'host' | 'stored' | 'published'

/** Who words a type: its own host, what the console has stored, or for the name alone the published table. */
export const originOf = ({
  typeId,
  name,
  shortName,
  isFromStore,
}: Pick<SupportedType, 'typeId' | 'name' | 'shortName' | 'isFromStore'>): TypeOrigin => {
  if (isFromStore) return 'stored'
  return name === null && shortName !== typeId ? 'published' : 'host'
}
