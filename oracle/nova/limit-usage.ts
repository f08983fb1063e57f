import { usedOfClass } from '@/lib/domain/limits/used-of-class'
import type { Random } from '../harness/random'

/** `names`: of the limits that a request is compared with, `class:VCPU`. */
type UsageInput = { names: string[]; usages: Record<string, number>; countsPcpu: boolean }

/** Use by name of a limit. */
export type LimitUsage = Record<string, number>

const CLASSES = ['VCPU', 'PCPU', 'MEMORY_MB', 'VGPU', 'CUSTOM_A40'] as const

/** More than a project uses of any other class. */
const MANY = 1000

const chosen = (random: Random, share: number): string[] => CLASSES.filter(() => random.chance(share))

export const generateUsage = (random: Random): UsageInput => ({
  names: ['class:VCPU', ...chosen(random, 0.25).map((name) => `class:${name}`)].filter(
    (name, index, all) => all.indexOf(name) === index,
  ),
  usages: Object.fromEntries(
    chosen(random, 0.8).map((name) => [name, name === 'PCPU' ? MANY : random.pick([0, 1, 4, 64])]),
  ),
  countsPcpu: random.chance(0.85),
})

const classOf = (name: string): string => name.slice('class:'.length)

export const ourUsage = ({ names, usages, countsPcpu }: UsageInput): LimitUsage =>
  Object.fromEntries(
    names.map((name) => [
      name,
      usedOfClass(usages, { name: classOf(name), countsPcpu, requested: names.map(classOf) }),
    ]),
  )

/** Nova refuses none of these, so these are the projects whose VCPU includes PCPU. */
export const hasPcpuInVcpu = (result: LimitUsage): boolean => (result['class:VCPU'] ?? 0) >= MANY
