import type { GpuDevice, GroupDevice, VendorVfio, VirtualFunction } from '@/lib/schemas/agent/inventory'
import { fact, truncate } from './clean-text'
import type { HostFiles } from './host-files'
import { countFrom, isPciAddress } from './identifiers'
import type { MdevTypeReader } from './mdev-types'
import { classOf, listGpuDevices, type PciDevice } from './pci-devices'
import type { ProblemLog } from './problem-log'

/** The contract's bound on `creatable`. */
const MAX_LINES = 512

/** `Unset` is no id, nor is 65535; drivers before 550 have neither file. */
const idOf = (path: string, files: HostFiles): number | null => {
  const id = countFrom(files.attribute(path))
  return id === 65_535 ? null : id
}

/** `<VF>/nvidia/`: NVIDIA's vendor-specific VFIO, unchanged. `creatable_vgpu_types` may be longer than a page. */
const readVendorVfio = (device: string, files: HostFiles, problems: ProblemLog): VendorVfio => {
  const currentPath = `${device}/nvidia/current_vgpu_type`
  const current = files.attribute(currentPath)
  const currentType = countFrom(current)
  if (current !== null && currentType === null)
    problems.add({
      source: currentPath,
      code: 'malformed',
      message: `${currentPath} holds no decimal type id.`,
    })
  const creatablePath = `${device}/nvidia/creatable_vgpu_types`
  const lines = files
    .text(creatablePath)
    ?.split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => truncate(line.trimEnd(), 1024))
  if (lines !== undefined && lines.length > MAX_LINES)
    problems.add({
      source: creatablePath,
      code: 'too-large',
      message: `${creatablePath} holds ${lines.length} lines; a report holds the first ${MAX_LINES}.`,
    })
  const gpuInstanceId = idOf(`${device}/nvidia/gpu_instance_id`, files)
  const placementId = idOf(`${device}/nvidia/placement_id`, files)
  return {
    currentType,
    creatable: lines?.slice(0, MAX_LINES) ?? null,
    ...(gpuInstanceId === null ? {} : { gpuInstanceId }),
    ...(placementId === null ? {} : { placementId }),
  }
}

const BUS_FOLDER = '/sys/class/mdev_bus'

/** `0000:41:00.4` and longer domains; `0.0.1a2b` is a channel device of s390. Those are no virtual parents. */
const HARDWARE_NAME = /^([0-9a-f]{4,}:[0-9a-f]{2}:|[0-9a-f]+\.[0-9a-f]+\.)/i

/** mdev parents that are no PCI device, such as the kernel's sample driver mtty. */
const listVirtualParents = ({
  files,
  problems,
  mdevTypes,
}: {
  files: HostFiles
  problems: ProblemLog
  mdevTypes: MdevTypeReader
}): GpuDevice[] =>
  (files.names(BUS_FOLDER) ?? [])
    .filter((name) => !HARDWARE_NAME.test(name))
    .flatMap((name): GpuDevice[] => {
      if (!/^[a-z0-9_-]{1,64}$/.test(name)) {
        const message = `${BUS_FOLDER} holds "${name}"; parents need lower-case letters, digits, dashes or underscores, so it was left out.`
        problems.add({ source: BUS_FOLDER, code: 'odd-name', message })
        return []
      }
      return [
        {
          address: name,
          classCode: null,
          vendorId: null,
          deviceId: null,
          subsystemVendorId: null,
          subsystemDeviceId: null,
          modelName: null,
          driver: null,
          numaNode: null,
          iommuGroup: null,
          iommuGroupMembers: [],
          sriov: null,
          virtualFunctions: [],
          mdevTypes: mdevTypes.typesOf(`${BUS_FOLDER}/${name}`, name),
          vendorVfio: null,
        },
      ]
    })

/** The contract's bounds. */
const MAX_GPUS = 256
const MAX_FUNCTIONS = 256
const MAX_MEMBERS = 256

type Options = { files: HostFiles; problems: ProblemLog; mdevTypes: MdevTypeReader }

const bounded = <T>(items: T[], max: number, source: string, problems: ProblemLog): T[] => {
  if (items.length <= max) return items
  problems.add({
    source,
    code: 'too-large',
    message: `${source} has ${items.length} entries; a report holds the first ${max}.`,
  })
  return items.slice(0, max)
}

const pciId = (path: string, files: HostFiles): string | null => {
  const id = files.attribute(path)?.toLowerCase().replace(/^0x/, '') ?? ''
  return /^[0-9a-f]{4}$/.test(id) ? id : null
}

const driverOf = ({ path, entries }: PciDevice, files: HostFiles): string | null =>
  entries.has('driver') ? fact(files.linkName(`${path}/driver`)) : null

const iommuGroupOf = ({ path, entries }: PciDevice, files: HostFiles): number | null =>
  entries.has('iommu_group') ? countFrom(files.linkName(`${path}/iommu_group`)) : null

const groupMembers = (group: number | null, address: string, { files, problems }: Options): string[] => {
  if (group === null) return []
  const folder = `/sys/kernel/iommu_groups/${group}/devices`
  const members = files.names(folder, { isExpected: true }) ?? []
  const others = members.filter((name) => name !== address && isPciAddress(name))
  return bounded(others, MAX_MEMBERS, folder, problems)
}

/** Null when a member that is listed shows no attributes. */
const groupDevices = (members: readonly string[], files: HostFiles): GroupDevice[] | null => {
  const read = members.map((address): GroupDevice | null => {
    const path = `/sys/bus/pci/devices/${address}`
    const entries = files.names(path, { isExpected: true })
    if (entries === null) return null
    return {
      address,
      classCode: classOf(files, path),
      vendorId: pciId(`${path}/vendor`, files),
      deviceId: pciId(`${path}/device`, files),
      driver: entries.includes('driver') ? fact(files.linkName(`${path}/driver`)) : null,
    }
  })
  const known = read.filter((device) => device !== null)
  return known.length === members.length ? known : null
}

const slicingOf = ({ path, entries }: PciDevice, card: string, { files, problems, mdevTypes }: Options) => ({
  mdevTypes: entries.has('mdev_supported_types') ? mdevTypes.typesOf(path, card) : null,
  vendorVfio: entries.has('nvidia') ? readVendorVfio(path, files, problems) : null,
})

const readFunction = (vf: PciDevice, card: string, options: Options): VirtualFunction => ({
  address: vf.address,
  driver: driverOf(vf, options.files),
  iommuGroup: iommuGroupOf(vf, options.files),
  ...slicingOf(vf, card, options),
})

/** The kernel writes -1 on a machine without NUMA. */
const numaNodeOf = (path: string, files: HostFiles): number | null =>
  countFrom(files.attribute(`${path}/numa_node`))

const sriovOf = ({ path, entries }: PciDevice, files: HostFiles): GpuDevice['sriov'] =>
  entries.has('sriov_totalvfs')
    ? {
        totalVfs: countFrom(files.attribute(`${path}/sriov_totalvfs`)),
        enabledVfs: countFrom(files.attribute(`${path}/sriov_numvfs`)),
      }
    : null

/** `Model:  Tesla T4` of NVIDIA's kernel module. */
const modelOf = (address: string, files: HostFiles): string | null =>
  fact(/^Model:(.*)$/m.exec(files.text(`/proc/driver/nvidia/gpus/${address}/information`) ?? '')?.[1])

const readGpu = (gpu: PciDevice, functions: PciDevice[], options: Options): GpuDevice => {
  const { files, problems } = options
  const { path, address } = gpu
  const iommuGroup = iommuGroupOf(gpu, files)
  const members = groupMembers(iommuGroup, address, options)
  return {
    address,
    classCode: gpu.classCode,
    vendorId: pciId(`${path}/vendor`, files),
    deviceId: pciId(`${path}/device`, files),
    subsystemVendorId: pciId(`${path}/subsystem_vendor`, files),
    subsystemDeviceId: pciId(`${path}/subsystem_device`, files),
    modelName: modelOf(address, files),
    driver: driverOf(gpu, files),
    numaNode: numaNodeOf(path, files),
    iommuGroup,
    iommuGroupMembers: members,
    iommuGroupDevices: groupDevices(members, files),
    ...(functions[0] === undefined ? {} : { vfDeviceId: pciId(`${functions[0].path}/device`, files) }),
    sriov: sriovOf(gpu, files),
    virtualFunctions: bounded(functions, MAX_FUNCTIONS, path, problems).map((vf) =>
      readFunction(vf, address, options),
    ),
    ...slicingOf(gpu, address, options),
  }
}

/** VFs by the address of their PF. A VF whose PF is not among the GPUs is a problem. */
const functionsByGpu = (devices: PciDevice[], problems: ProblemLog): Map<string, PciDevice[]> => {
  const functions = new Map<string, PciDevice[]>(
    devices.filter(({ entries }) => !entries.has('physfn')).map(({ address }) => [address, []]),
  )
  for (const vf of devices) {
    if (!vf.entries.has('physfn')) continue
    const siblings = functions.get(vf.physfn ?? '')
    if (siblings !== undefined) siblings.push(vf)
    else
      problems.add({
        source: `${vf.path}/physfn`,
        code: 'dangling',
        message: `${vf.path} is a virtual function of ${vf.physfn ?? 'an unknown device'}, which is not among the GPUs; it was left out.`,
      })
  }
  return functions
}

/** A machine may have no PCI bus; a copied tree may lack it. */
const reportMissingPci = ({ files, problems }: Options): void => {
  if (!files.exists('/sys/bus')) {
    const message = 'There is no sysfs here, so the GPUs are unknown; check --root.'
    problems.add({ source: '/sys', code: 'incomplete', message })
  } else if (files.names('/sys/devices')?.some((name) => /^pci[0-9a-f]{4}/.test(name))) {
    const message =
      '/sys/devices has PCI devices but /sys/bus/pci/devices is not here, so the GPUs are unknown.'
    problems.add({ source: '/sys/bus/pci/devices', code: 'incomplete', message })
  }
}

/** GPUs by address with their VFs below them, then mdev parents without a PCI device. */
export const collectGpus = (options: Options): GpuDevice[] => {
  const { files, problems } = options
  const devices = listGpuDevices(files, problems)
  if (devices === null) reportMissingPci(options)
  const functions = functionsByGpu(devices ?? [], problems)
  const gpus = (devices ?? []).flatMap((device) => {
    const own = functions.get(device.address)
    return own === undefined ? [] : [readGpu(device, own, options)]
  })
  return bounded([...gpus, ...listVirtualParents(options)], MAX_GPUS, '/sys/bus/pci/devices', problems)
}
