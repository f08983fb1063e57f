import { NOVA_RULES } from '@/lib/domain/nova-config/nova-releases'
import { isSameOrNewer } from './version'

/** Rules that need minimum versions on the host. */
type Bounded = {
  [Name in keyof typeof NOVA_RULES]: (typeof NOVA_RULES)[Name] extends { minimum: object } ? Name : never
}[keyof typeof NOVA_RULES]

type HostVersions = { libvirtVersion: string | null; qemuVersion: string | null; kernel: string | null }

/** Follows the host's name: `has libvirt 8.0.0, 8.6.0 is needed`. */
type MinimumProblem = { because: string; isUnknown: boolean }

const KEYS = { libvirt: 'libvirtVersion', QEMU: 'qemuVersion', kernel: 'kernel' } as const
const NAMES = ['libvirt', 'QEMU', 'kernel'] as const

/** Red Hat adds what vGPUs need to its older kernel; NVIDIA supports it on RHEL from 9.4 on. */
const isBackported = (kernel: string): boolean => {
  const [, major, minor] = /\.el(\d+)(?:_(\d+))?/.exec(kernel) ?? []
  return Number(major) > 9 || (Number(major) === 9 && Number(minor) >= 4)
}

/** What a host lacks of the minimum versions of a rule. */
export const minimumProblems = (rule: Bounded, host: HostVersions): MinimumProblem[] => {
  const minimum: Readonly<Partial<Record<(typeof NAMES)[number], string>>> = NOVA_RULES[rule].minimum
  return NAMES.flatMap((name): MinimumProblem[] => {
    const needed = minimum[name]
    if (needed === undefined) return []
    const version = host[KEYS[name]]
    const isNew = isSameOrNewer(version, needed)
    if (isNew === null) return [{ because: `has a ${name} of unknown version`, isUnknown: true }]
    const isEnough = isNew || (name === 'kernel' && isBackported(version ?? ''))
    return isEnough
      ? []
      : [{ because: `has ${name} ${version}, but ${needed} is required`, isUnknown: false }]
  })
}
