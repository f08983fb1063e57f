/** Suffix and name of a key, as Nova splits it (nova/scheduler/utils.py ResourceRequest.XS_KEYPAT). */
export const RESOURCE_KEY = /^resources([a-zA-Z0-9_-]{1,64})?:(.*)$/
export const TRAIT_KEY = /^trait([a-zA-Z0-9_-]{1,64})?:(.*)$/

/** Nova sends only these and `CUSTOM_…` to Placement. Source: os_resource_classes/__init__.py STANDARDS (1.1.0). */
export const STANDARD_CLASSES: ReadonlySet<string> = new Set([
  'VCPU',
  'MEMORY_MB',
  'DISK_GB',
  'PCI_DEVICE',
  'SRIOV_NET_VF',
  'NUMA_SOCKET',
  'NUMA_CORE',
  'NUMA_THREAD',
  'NUMA_MEMORY_MB',
  'IPV4_ADDRESS',
  'VGPU',
  'VGPU_DISPLAY_HEAD',
  'NET_BW_EGR_KILOBIT_PER_SEC',
  'NET_BW_IGR_KILOBIT_PER_SEC',
  'PCPU',
  'MEM_ENCRYPTION_CONTEXT',
  'FPGA',
  'PGPU',
  'NET_PACKET_RATE_KILOPACKET_PER_SEC',
  'NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC',
  'NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC',
])

/** Python's int(): blanks around it, a sign and single underscores between digits. */
export const readInt = (text: string): number | null =>
  /^\s*[+-]?\d+(_\d+)*\s*$/.test(text) ? Number(text.replaceAll('_', '')) : null

export const isGpuClass = (name: string): boolean =>
  name === 'VGPU' || name === 'PGPU' || name.startsWith('CUSTOM_')
