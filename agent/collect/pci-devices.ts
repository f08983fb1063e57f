import type { HostFiles } from './host-files'
import { isPciAddress } from './identifiers'
import type { ProblemLog } from './problem-log'

const PCI_FOLDER = '/sys/bus/pci/devices'

/** VGA, 3D, other display, and processing accelerators (AMD's and Intel's data-centre cards). */
const GPU_CLASS = /^(0300|0302|0380|1200)/

/** A PCI device of a GPU's class, with the names in its sysfs folder. */
export type PciDevice = {
  address: string
  path: string
  /** 6 hex digits, `030200`. */
  classCode: string
  entries: ReadonlySet<string>
  /** Address of the PF when this is a VF. */
  physfn: string | null
}

/** 6 hex digits of a device's class; null with a problem when it can't be read. */
export const classOf = (files: HostFiles, path: string): string | null => {
  const code = files.attribute(`${path}/class`, { isExpected: true })?.toLowerCase().replace(/^0x/, '') ?? ''
  return /^[0-9a-f]{6}$/.test(code) ? code : null
}

/** A GPU in a domain beyond ffff (Intel VMD) has no place in the contract: Nova cannot name it either. */
const isUsableName = (name: string, path: string, problems: ProblemLog): boolean => {
  if (isPciAddress(name)) return true
  const message = `${path} is not a PCI address with a 4-digit domain, like 0000:18:00.0; the GPU was left out.`
  problems.add({ source: path, code: 'odd-name', message })
  return false
}

const readDevice = (name: string, path: string, classCode: string, files: HostFiles): PciDevice | null => {
  const entries = files.names(path, { isExpected: true })
  if (entries === null) return null
  const isVf = entries.includes('physfn')
  const physfn = isVf ? files.linkName(`${path}/physfn`) : null
  return { address: name, path, classCode, entries: new Set(entries), physfn }
}

/** All devices of a GPU's class, PFs and VFs, by address. Null when the kernel shows no PCI bus. */
export const listGpuDevices = (files: HostFiles, problems: ProblemLog): PciDevice[] | null => {
  const names = files.names(PCI_FOLDER)
  if (names === null) return null
  return names.flatMap((name) => {
    const path = `${PCI_FOLDER}/${name}`
    const classCode = classOf(files, path)
    if (classCode === null || !GPU_CLASS.test(classCode) || !isUsableName(name, path, problems)) return []
    const device = readDevice(name, path, classCode, files)
    return device === null ? [] : [device]
  })
}
