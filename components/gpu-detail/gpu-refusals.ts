import { isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import type { GpuDetail } from '@/lib/schemas/api/gpu'

/** A card in passthrough whose VFIO driver is bound; a card that is only configured for it still has to be bound. */
export const isWhole = ({ framework, driver }: Pick<GpuDetail, 'framework' | 'driver'>): boolean =>
  framework === 'passthrough' && driver !== null && isVfioDriver(driver)

/** Why the vGPU type of a pGPU cannot be changed; null: it can. */
export const typeRefusal = (
  gpu: Pick<GpuDetail, 'framework' | 'driver' | 'supportedTypes' | 'currentType' | 'configuredType'>,
): string | null => {
  if (isWhole(gpu)) return 'The card is in PCI passthrough. Remove it from PCI passthrough first.'
  const { supportedTypes, currentType, configuredType } = gpu
  return (supportedTypes ?? []).length === 0 && currentType === null && configuredType === null
    ? 'The driver reports no vGPU types for this card.'
    : null
}

/** Why PCI passthrough of a pGPU cannot be configured; null: it can. */
export const passthroughRefusal = ({ vendorId }: Pick<GpuDetail, 'vendorId'>): string | null =>
  vendorId === null ? 'A virtual parent is not a PCI device and cannot be assigned to a server.' : null
