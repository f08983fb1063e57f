import type { GpuSpec, HostSpec, PciDeviceSpec, PciIds } from './host-spec'
import { vfAddress } from './pci-address'
import { addAttribute, addDirectory, addFile, addLink, addTrigger, type Tree } from './tree'

export const devicePath = (device: { upstream: string[]; address: string }): string =>
  ['/sys/devices', ...device.upstream, device.address].join('/')

type Rendered = {
  address: string
  ids: PciIds
  driver: string | null
  driverOverride?: string
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
  addAttribute(tree, `${at}/driver_override`, device.driverOverride ?? '(null)', 0o644)
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

/** Where a device is taken from its driver, and given to the one that is meant for it. */
export const PROBE_TRIGGER = '/sys/bus/pci/drivers_probe'
export const unbindTrigger = (driver: string): string => `/sys/bus/pci/drivers/${driver}/unbind`

/** Drivers that are loaded, with a device or without. */
export const loadedDrivers = ({ gpus, otherDevices }: Pick<HostSpec, 'gpus' | 'otherDevices'>): string[] => {
  const devices = [...gpus, ...otherDevices]
  const names = devices.flatMap(({ driver }) => driver ?? [])
  const parked = gpus.flatMap((gpu) => gpu.parked?.driver ?? [])
  return [...new Set([...names, ...parked, 'vfio-pci'])].toSorted()
}

export const renderDrivers = (tree: Tree, drivers: readonly string[]): void => {
  addTrigger(tree, PROBE_TRIGGER)
  for (const driver of drivers) addTrigger(tree, unbindTrigger(driver))
}

/** NVIDIA's script, as a program of the tree; what is written into its request is performed as its driver would. */
export const SRIOV_TRIGGER = '/.sliceboard/sriov-manage/request'
const SRIOV_SCRIPT_PATH = '/usr/lib/nvidia/sriov-manage'

/** Waits until the driver has taken the request, and infers from the number of VFs whether it did it. */
const SRIOV_SCRIPT = `#!/bin/sh
root="$(dirname "$0")/../../.."
request="$root${SRIOV_TRIGGER}"
echo "$1 $2" > "$request" || exit 1
left=600
while [ -s "$request" ]; do
  left=$((left - 1))
  if [ "$left" -le 0 ]; then echo "the driver did not answer within a minute" >&2; exit 1; fi
  sleep 0.1
done
count="$(cat "$root/sys/bus/pci/devices/$2/sriov_numvfs")" || exit 1
echo "$2 has $count VFs"
case "$1 $count" in "-d 0") exit 0 ;; "-e 0" | -d*) exit 1 ;; *) exit 0 ;; esac
`

export const renderSriovScript = (tree: Tree): void => {
  addFile(tree, SRIOV_SCRIPT_PATH, SRIOV_SCRIPT, 0o755)
  addTrigger(tree, SRIOV_TRIGGER)
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

/** The PF's SR-IOV attributes and every enabled VF next to it, as `sriov-manage -e` leaves them. */
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
