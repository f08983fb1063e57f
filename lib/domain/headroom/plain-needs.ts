import { type FlavorLike, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { oncePer } from '@/lib/util/once-per'

/** Classes of the compute node itself. */
export const PLAIN_NAMES = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const
export type PlainName = (typeof PLAIN_NAMES)[number]

/** Amounts by class; MEMORY_MB in MiB, DISK_GB in GiB. */
export type PlainAmounts = Readonly<Record<PlainName, number>>

/** What one server of a flavor takes of its compute node, GPUs aside. */
export const plainNeeds = oncePer((flavor: FlavorLike): PlainAmounts => {
  const [plain] = readFlavorRequest(flavor).groups
  const amounts = plain?.resources ?? {}
  return {
    VCPU: amounts.VCPU ?? 0,
    PCPU: amounts.PCPU ?? 0,
    MEMORY_MB: amounts.MEMORY_MB ?? 0,
    DISK_GB: amounts.DISK_GB ?? 0,
  }
})

/** The resources of this many servers together. */
export const sumNeeds = (parts: readonly { needs: PlainAmounts; count: number }[]): PlainAmounts => {
  const sum = (name: PlainName): number =>
    parts.reduce((total, { needs, count }) => total + needs[name] * count, 0)
  return { VCPU: sum('VCPU'), PCPU: sum('PCPU'), MEMORY_MB: sum('MEMORY_MB'), DISK_GB: sum('DISK_GB') }
}
