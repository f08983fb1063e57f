import { oncePer } from '@/lib/util/once-per'
import type { IsGpuProvider } from './types'

/** `host_pci_0000_84_00_0` of mdev parents, `host_0000:84:00.0` of PCI in Placement. */
const PCI_NAME =
  /_(pci_[0-9a-f]{4}_[0-9a-f]{2}_[0-9a-f]{2}_[0-7]|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/
const GPU_CLASSES = ['VGPU', 'PGPU']

/**
 * Whether a provider represents a GPU: it has VGPU or PGPU, or a custom class and a name that ends with a PCI address
 * (`[mdev_…] mdev_class`, `[pci] device_spec`). Network cards listed in device_spec look the same.
 */
export const isGpuProvider: IsGpuProvider = oncePer(({ name, parentUuid, inventories }) => {
  if (inventories === null) return parentUuid !== null && PCI_NAME.test(name)
  const classes = Object.keys(inventories)
  if (classes.some((name) => GPU_CLASSES.includes(name))) return true
  return PCI_NAME.test(name) && classes.some((name) => name.startsWith('CUSTOM_'))
})
