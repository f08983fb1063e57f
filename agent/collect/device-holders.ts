import path from 'node:path'
import type { DeviceHolder, GpuDevice, Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { plainLine } from './clean-text'
import type { HostFiles } from './host-files'
import { countFrom, isPciAddress, isUuid } from './identifiers'

/** The contract's bound. */
const MAX_HOLDERS = 1024
const MAX_PID = 4_194_304

const MDEVS = '/sys/bus/mdev/devices'
const PCI_DEVICES = '/sys/bus/pci/devices'

/** File names below /dev/vfio by which a process holds a device open: its group, and its own file (iommufd). */
const vfioFilesOf = (device: string, files: HostFiles): string[] => {
  const path = isUuid(device) ? `${MDEVS}/${device}` : `${PCI_DEVICES}/${device}`
  const group = countFrom(files.linkName(`${path}/iommu_group`))
  const own = files.names(`${path}/vfio-dev`) ?? []
  return [
    ...(group === null ? [] : [`/dev/vfio/${group}`]),
    ...own.map((name) => `/dev/vfio/devices/${name}`),
  ]
}

/** `sysfsdev=…`, `host=…`, `path=…` of QEMU, cloud-hypervisor and others, and the same in QEMU's JSON. */
const ASSIGNED = /(?:^|[,{])"?(?:sysfsdev|host|path)"?[=:]"?([^,"}]+)/g

/** Canonical name of the device in an argument's value: the last part of a sysfs path, or an address. */
const deviceOf = (value: string): string | null => {
  const name = value.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase() ?? ''
  if (isUuid(name) || isPciAddress(name)) return name
  // QEMU takes an address without the domain for one of domain 0.
  const address = `0000:${name}`
  return isPciAddress(address) ? address : null
}

const devicesIn = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => {
    const values = [...word.matchAll(ASSIGNED)].map(([, value = '']) => value)
    // crosvm: `--vfio /sys/bus/pci/devices/0000:01:00.4`.
    if (word.startsWith('/sys/') && words[index - 1]?.startsWith('--') === true)
      values.push(word.split(',', 1)[0] ?? '')
    return values.flatMap((value) => deviceOf(value) ?? [])
  })

const valueAfter = (words: readonly string[], flag: string): string => {
  const index = words.indexOf(flag)
  return index < 0 ? '' : (words[index + 1] ?? '')
}

/** `-name guest=win10,debug-threads=on` and `-name win10,…`. */
const nameIn = (words: readonly string[]): string | null => {
  const value = valueAfter(words, '-name')
  const name = /(?:^|,)guest=([^,]*)/.exec(value)?.[1] ?? value.split(',', 1)[0] ?? ''
  return name === '' ? null : plainLine(name, 255)
}

const uuidIn = (words: readonly string[]): string | null => {
  const uuid = valueAfter(words, '-uuid').toLowerCase()
  return isUuid(uuid) ? uuid : null
}

type Process = { pid: number; words: string[] }

/** Processes that have a command line, by pid; kernel threads have none. */
const listProcesses = (files: HostFiles): Process[] =>
  (files.names('/proc') ?? [])
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && pid <= MAX_PID)
    .sort((a, b) => a - b)
    .flatMap((pid) => {
      const bytes = Buffer.from(files.raw(`/proc/${pid}/cmdline`) ?? '', 'latin1')
      const words = bytes.toString('utf8').split('\0')
      return (words[0] ?? '') === '' ? [] : [{ pid, words }]
    })

/** After this many unreadable links a process is skipped: without CAP_SYS_PTRACE none of them can be read. */
const MAX_UNREADABLE = 1

/** Targets of a process's open files. Empty without CAP_SYS_PTRACE. */
const openFilesOf = (pid: number, files: HostFiles): string[] => {
  const folder = `/proc/${pid}/fd`
  const targets: string[] = []
  for (const [index, name] of (files.names(folder) ?? []).entries()) {
    const target = files.linkTarget(`${folder}/${name}`)
    if (target !== null) targets.push(target)
    else if (targets.length === 0 && index + 1 >= MAX_UNREADABLE) break
  }
  return targets
}

/**
 * Processes of the host that use one of the devices, mdevs by uuid and PCI functions by address: by their command line (all users
 * can read it), or by its VFIO file that they have open. Never more of a command line than the guest's name and uuid: it may hold secrets.
 * `files` must have a separate problem log, since processes end at any time.
 */
export const holdersOf = (devices: readonly string[], files: HostFiles): DeviceHolder[] => {
  if (devices.length === 0) return []
  const wanted = new Set(devices)
  const byFile = new Map<string, string[]>()
  for (const device of wanted)
    for (const file of vfioFilesOf(device, files)) byFile.set(file, [...(byFile.get(file) ?? []), device])
  const holders = listProcesses(files).flatMap(({ pid, words }): DeviceHolder[] => {
    const named = new Set(devicesIn(words).filter((device) => wanted.has(device)))
    const opened = new Set(openFilesOf(pid, files).flatMap((file) => byFile.get(file) ?? []))
    const about = {
      pid,
      program: plainLine(path.posix.basename(words[0] ?? ''), 255),
      guestName: nameIn(words),
      guestUuid: uuidIn(words),
    }
    return [...new Set([...named, ...opened])].map((device) => ({
      device,
      seenBy: named.has(device) ? 'command-line' : 'open-file',
      ...about,
    }))
  })
  return holders
    .sort((a, b) => (a.device === b.device ? a.pid - b.pid : a.device < b.device ? -1 : 1))
    .slice(0, MAX_HOLDERS)
}

/** Functions that a guest can get whole or as a vGPU: bound to a VFIO driver, or with a vGPU type by vendor VFIO. */
const assignable = (gpus: readonly GpuDevice[]): string[] =>
  gpus
    .flatMap((gpu) => [gpu, ...gpu.virtualFunctions])
    .filter(({ driver, vendorVfio }) => /vfio/.test(driver ?? '') || (vendorVfio?.currentType ?? 0) > 0)
    .map(({ address }) => address)
    .filter(isPciAddress)

/** Processes that use mdevs and PCI functions which no running guest of libvirt names. Empty list of devices: no process is read. */
export const collectDeviceHolders = ({
  files,
  gpus,
  mdevs,
  guests,
}: {
  files: HostFiles
  gpus: readonly GpuDevice[]
  mdevs: readonly Mdev[] | null
  guests: readonly Guest[] | null
}): DeviceHolder[] => {
  const held = new Set(
    (guests ?? []).flatMap((guest) => [
      ...guest.mdevs.filter(({ isLive }) => isLive).map(({ uuid }) => uuid),
      ...guest.pciDevices.filter(({ isLive }) => isLive).map(({ address }) => address),
    ]),
  )
  const active = (mdevs ?? []).filter(({ isActive }) => isActive).map(({ uuid }) => uuid)
  const devices = [...active, ...assignable(gpus)].filter((device) => !held.has(device))
  return holdersOf(devices, files)
}
