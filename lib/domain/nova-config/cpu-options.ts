import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { parseCpuSet } from './cpu-set'
import { effectiveOptions } from './effective-options'

/**
 * What nova.conf keeps of a host's CPUs and memory; null: the option is not set. Unit of memory: MiB. Source:
 * nova/conf/compute.py; defaults are 512 MiB and no CPU.
 */
export const cpuOptionsSchema = z.object({
  /** `[compute] cpu_shared_set`. */
  shared: z.string().nullable(),
  /** `[compute] cpu_dedicated_set`. */
  dedicated: z.string().nullable(),
  /** `[DEFAULT] vcpu_pin_set`, deprecated since Train. */
  pinSet: z.string().nullable(),
  reservedCpus: z.number().nullable(),
  reservedMemoryMib: z.number().nullable(),
})
export type CpuOptions = z.infer<typeof cpuOptionsSchema>

/** The options by section and present name, in the order in which they are written. */
export const CPU_OPTIONS = {
  pinSet: ['DEFAULT', 'vcpu_pin_set'],
  reservedCpus: ['DEFAULT', 'reserved_host_cpus'],
  reservedMemoryMib: ['DEFAULT', 'reserved_host_memory_mb'],
  shared: ['compute', 'cpu_shared_set'],
  dedicated: ['compute', 'cpu_dedicated_set'],
} as const satisfies Record<keyof CpuOptions, readonly [section: string, name: string]>

/** To Nova an empty value is none: it is how a later file takes an option back. */
const textOf = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim()

const numberOf = (value: string | undefined): number | null => {
  const text = textOf(value)
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The current options of a host's nova.conf, over all of its files. */
export const readCpuOptions = (config: NovaConfig): CpuOptions => {
  const options = effectiveOptions(config).filter(({ isEffective }) => isEffective)
  const valueAt = ([section, name]: readonly [string, string]): string | undefined =>
    options.find(({ present }) => present.section === section && present.name === name)?.option.value
  return {
    shared: textOf(valueAt(CPU_OPTIONS.shared)),
    dedicated: textOf(valueAt(CPU_OPTIONS.dedicated)),
    pinSet: textOf(valueAt(CPU_OPTIONS.pinSet)),
    reservedCpus: numberOf(valueAt(CPU_OPTIONS.reservedCpus)),
    reservedMemoryMib: numberOf(valueAt(CPU_OPTIONS.reservedMemoryMib)),
  }
}

const NOVA_RESERVED_MEMORY_MIB = 512

/** The result of the options in Nova: CPUs for VCPU, CPUs for PCPU, and the reservations. */
export type CpuSplit = {
  shared: ReadonlySet<number>
  dedicated: ReadonlySet<number>
  reservedCpus: number
  reservedMemoryMib: number
}

/**
 * The inventory that nova-compute makes of its options on a host with these CPUs. The old `vcpu_pin_set` gives VCPU and no
 * PCPU; a dedicated set alone leaves nothing for VCPU. Source: nova/virt/libvirt/driver.py _get_vcpu_available,
 * _get_pcpu_available.
 */
export const splitOf = (options: CpuOptions, cpus: ReadonlySet<number>): CpuSplit => {
  const within = (text: string): Set<number> => new Set([...parseCpuSet(text)].filter((cpu) => cpus.has(cpu)))
  const { shared, dedicated, pinSet } = options
  const forVcpu = shared ?? (dedicated === null ? pinSet : null)
  return {
    shared: forVcpu !== null ? within(forVcpu) : dedicated === null ? cpus : new Set(),
    dedicated: dedicated === null ? new Set() : within(dedicated),
    reservedCpus: options.reservedCpus ?? 0,
    reservedMemoryMib: options.reservedMemoryMib ?? NOVA_RESERVED_MEMORY_MIB,
  }
}

/** Whether nova-compute treats two sets of options alike, in any notation of "not set". */
export const isSameCpuOptions = (a: CpuOptions, b: CpuOptions): boolean => keyOf(a) === keyOf(b)

const setKey = (text: string | null): string | null =>
  text === null ? null : [...parseCpuSet(text)].toSorted((a, b) => a - b).join(' ')

const keyOf = ({ shared, dedicated, pinSet, reservedCpus, reservedMemoryMib }: CpuOptions): string =>
  JSON.stringify([
    setKey(shared),
    setKey(dedicated),
    setKey(pinSet),
    reservedCpus ?? 0,
    reservedMemoryMib ?? NOVA_RESERVED_MEMORY_MIB,
  ])
