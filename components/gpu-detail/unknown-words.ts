import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { SupportedType } from './sort-types'

type Card = Pick<GpuDetail, 'vendorId' | 'framework'>

/** The kernel's mtty and the like: an mdev parent without a PCI device. */
const isVirtual = ({ vendorId }: Card): boolean => vendorId === null

/** Why the size of a card's memory is not known. */
export const framebufferReason = (gpu: Card): string => {
  if (isVirtual(gpu)) return 'a virtual parent has none'
  return gpu.vendorId === '10de'
    ? 'nvidia-smi said nothing and no type fills the card'
    : 'no vGPU type tells it'
}

/** Why the NUMA node of a card is not known. */
export const numaReason = (gpu: Card): string =>
  isVirtual(gpu)
    ? 'a virtual parent belongs to no node'
    : 'the kernel says -1: the host has one node, or its firmware does not tell'

/** Why the IOMMU group of a card is not known. */
export const groupReason = (gpu: Card): string =>
  isVirtual(gpu) ? 'a virtual parent has none' : 'the kernel shows no IOMMU group'

/** Whether the driver lists only the types that it can create now, so that the catalog is partial. */
export const isPartialCatalogue = ({ framework }: Card): boolean => framework === 'vendor-vfio'

/** The note in the heading of the catalog. */
export const catalogueNote = (gpu: Card, count: number): string =>
  isPartialCatalogue(gpu) ? `${count} listed by the driver now` : `${count}, as the driver words them`

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
