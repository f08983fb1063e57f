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

/** A device that guests can use: an mdev by its uuid, or a PCI function by its address. */
type Target = { device: string; path: string }

/** File names below /dev/vfio by which a process holds a device open: its group, and its own file (iommufd). */
const vfioFilesOf = (target: Target, files: HostFiles): string[] => {
  const group = countFrom(files.linkName(`${target.path}/iommu_group`))
  const own = files.names(`${target.path}/vfio-dev`) ?? []
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

/** `-name guest=win10,debug-threads=on` and `-name win10,…`. */
const nameIn = (words: readonly string[]): string | null => {
  const value = words[words.indexOf('-name') + 1] ?? ''
  if (!words.includes('-name')) return null
  const name = /(?:^|,)guest=([^,]*)/.exec(value)?.[1] ?? value.split(',', 1)[0] ?? ''
  return name === '' ? null : plainLine(name, 255)
}

const uuidIn = (words: readonly string[]): string | null => {
  const value = words.includes('-uuid') ? (words[words.indexOf('-uuid') + 1]?.toLowerCase() ?? '') : ''
  return isUuid(value) ? value : null
}

type Process = { pid: number; words: string[] }

/** Processes that have a command line, by pid; kernel threads have none. */
const listProcesses = (files: HostFiles): Process[] =>
  (files.names('/proc') ?? [])
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && pid <= MAX_PID)
    .sort((a, b) => a - b)
    .flatMap((pid) => {
      const words = files.raw(`/proc/${pid}/cmdline`)?.split('\0') ?? []
      return (words[0] ?? '') === '' ? [] : [{ pid, words }]
    })

/** So many open files in a row that may not be read stand for all of a process. */
const MAX_UNREADABLE = 8

/** Targets of a process's open files. Empty where they may not be read, which takes CAP_SYS_PTRACE. */
const openFilesOf = (pid: number, files: HostFiles): string[] => {
  const folder = `/proc/${pid}/fd`
  const targets: string[] = []
  for (const [index, name] of (files.names(folder) ?? []).entries()) {
    const target = files.linkTarget(`${folder}/${name}`)
    if (target !== null) targets.push(target)
    else if (targets.length === 0 && index >= MAX_UNREADABLE) break
  }
  return targets
}

/**
 * Processes of the host that use one of the devices: by their command line (the kernel shows it to everybody), or by its
 * VFIO file that they have open. Never more of a command line than the guest's name and uuid: it may hold secrets.
 * `files` must have a separate problem log, since processes end at any time.
 */
const findHolders = (targets: readonly Target[], files: HostFiles): DeviceHolder[] => {
  if (targets.length === 0) return []
  const wanted = new Set(targets.map(({ device }) => device))
  const byFile = new Map<string, string[]>()
  for (const target of targets)
    for (const file of vfioFilesOf(target, files))
      byFile.set(file, [...(byFile.get(file) ?? []), target.device])
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

const targetOf = (device: string): Target => ({
  device,
  path: isUuid(device) ? `${MDEVS}/${device}` : `${PCI_DEVICES}/${device}`,
})

/** The same of devices by their names. */
export const holdersOf = (devices: readonly string[], files: HostFiles): DeviceHolder[] =>
  findHolders(devices.map(targetOf), files)

/** Functions that a guest can get whole or as a vGPU: bound to a VFIO driver, or with a vGPU type by vendor VFIO. */
const assignable = (gpus: readonly GpuDevice[]): string[] =>
  gpus
    .flatMap((gpu) => [gpu, ...gpu.virtualFunctions])
    .filter(({ driver, vendorVfio }) => /vfio/.test(driver ?? '') || (vendorVfio?.currentType ?? 0) > 0)
    .map(({ address }) => address)
    .filter(isPciAddress)

/**
 * Who uses the mdevs and PCI functions that no running guest of libvirt names. Nothing is looked for while libvirt names all of
 * them, as on most hosts.
 */
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
