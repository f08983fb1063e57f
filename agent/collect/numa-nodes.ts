import type { Inventory } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import type { HostFiles } from './host-files'
import { countFrom } from './identifiers'

const FOLDER = '/sys/devices/system/node'
const MAX_NODES = 256

/** `Node 0 MemTotal:       65842872 kB` in MiB. */
const memoryMib = (meminfo: string | null): number | null => {
  const kib = /^Node \d+ MemTotal:\s+(\d{1,14}) kB/m.exec(meminfo ?? '')?.[1]
  return kib === undefined ? null : Math.min(Math.floor(Number(kib) / 1024), 1e12)
}

/** CPUs and memory by NUMA node; null when the kernel shows no nodes. */
export const collectNumaNodes = (files: HostFiles): Inventory['host']['numaNodes'] => {
  const names = files.names(FOLDER)
  if (names === null) return null
  return names
    .flatMap((name) => {
      const id = countFrom(/^node(\d+)$/.exec(name)?.[1] ?? null)
      return id === null ? [] : [id]
    })
    .sort((a, b) => a - b)
    .slice(0, MAX_NODES)
    .map((id) => ({
      id,
      // Empty for a node that is memory alone.
      cpus: fact(files.attribute(`${FOLDER}/node${id}/cpulist`, { isExpected: true })) ?? '',
      memoryMib: memoryMib(files.text(`${FOLDER}/node${id}/meminfo`, { isExpected: true })),
    }))
}
