import type { GpuSpec, PciDeviceSpec, PciIds } from './host-spec'
import { vfAddress } from './pci-address'
import { addAttribute, addDirectory, addLink, type Tree } from './tree'

export const devicePath = (device: { upstream: string[]; address: string }): string =>
  ['/sys/devices', ...device.upstream, device.address].join('/')

type Rendered = {
  address: string
  ids: PciIds
  driver: string | null
  numaNode: number | null
  iommuGroup: number | null
}

const uevent = (device: Rendered): string =>
  [
    ...(device.driver === null ? [] : [`DRIVER=${device.driver}`]),
    `PCI_CLASS=${device.ids.classCode.replace(/^0/, '').toUpperCase()}`,
    `PCI_ID=${device.ids.vendor}:${device.ids.device}`.toUpperCase(),
    `PCI_SUBSYS_ID=${device.ids.subsystemVendor}:${device.ids.subsystemDevice}`.toUpperCase(),
    `PCI_SLOT_NAME=${device.address}`,
  ].join('\n')

const renderDevice = (tree: Tree, at: string, device: Rendered): void => {
  addLink(tree, `/sys/bus/pci/devices/${device.address}`, at)
  addLink(tree, `${at}/subsystem`, '/sys/bus/pci')
  addAttribute(tree, `${at}/class`, `0x${device.ids.classCode}`)
  addAttribute(tree, `${at}/vendor`, `0x${device.ids.vendor}`)
  addAttribute(tree, `${at}/device`, `0x${device.ids.device}`)
  addAttribute(tree, `${at}/subsystem_vendor`, `0x${device.ids.subsystemVendor}`)
  addAttribute(tree, `${at}/subsystem_device`, `0x${device.ids.subsystemDevice}`)
  addAttribute(tree, `${at}/revision`, '0xa1')
  addAttribute(tree, `${at}/numa_node`, device.numaNode ?? -1, 0o644)
  addAttribute(tree, `${at}/uevent`, uevent(device), 0o644)
  if (device.driver !== null) {
    addLink(tree, `${at}/driver`, `/sys/bus/pci/drivers/${device.driver}`)
    addLink(tree, `/sys/bus/pci/drivers/${device.driver}/${device.address}`, at)
  }
  if (device.iommuGroup !== null) {
    const group = `/sys/kernel/iommu_groups/${device.iommuGroup}`
    addLink(tree, `${at}/iommu_group`, group)
    addLink(tree, `${group}/devices/${device.address}`, at)
    addAttribute(tree, `${group}/type`, 'DMA-FQ')
  }
}

const BRIDGE: PciIds = {
  classCode: '060400',
  vendor: '8086',
  device: '2030',
  subsystemVendor: '8086',
  subsystemDevice: '0000',
}

const renderBridges = (tree: Tree, upstream: string[], numaNode: number | null): void => {
  upstream.forEach((address, index) => {
    if (!/^[0-9a-f]{4}:/.test(address)) return
    const bridge = { address, ids: BRIDGE, driver: 'pcieport', numaNode, iommuGroup: null }
    renderDevice(tree, ['/sys/devices', ...upstream.slice(0, index), address].join('/'), bridge)
  })
}

export const renderPciDevice = (tree: Tree, device: PciDeviceSpec): void => {
  renderBridges(tree, device.upstream, device.numaNode)
  renderDevice(tree, devicePath(device), device)
}

const enabledVfs = (gpu: GpuSpec): { address: string; iommuGroup: number }[] => {
  const { sriov } = gpu
  if (sriov === null) return []
  return Array.from({ length: sriov.enabledVfs }, (_, index) => ({
    address: vfAddress(gpu.address, sriov.firstVfOffset, index),
    iommuGroup: sriov.firstIommuGroup + index,
  }))
}

/** The PF's SR-IOV attributes and every enabled VF beside it, as `sriov-manage -e` leaves them. */
export const renderSriov = (tree: Tree, gpu: GpuSpec): void => {
  if (gpu.sriov === null) return
  const pf = devicePath(gpu)
  addAttribute(tree, `${pf}/sriov_totalvfs`, gpu.sriov.totalVfs)
  addAttribute(tree, `${pf}/sriov_numvfs`, gpu.sriov.enabledVfs, 0o644)
  addAttribute(tree, `${pf}/sriov_offset`, gpu.sriov.firstVfOffset)
  addAttribute(tree, `${pf}/sriov_stride`, 1)
  enabledVfs(gpu).forEach((vf, index) => {
    const at = devicePath({ upstream: gpu.upstream, address: vf.address })
    renderDevice(tree, at, { ...gpu, ...vf })
    addLink(tree, `${at}/physfn`, pf)
    addLink(tree, `${pf}/virtfn${index}`, at)
    addDirectory(tree, `${at}/power`)
  })
}
