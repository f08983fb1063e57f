import { formatCpuSet, parseCpuSet } from '@/lib/domain/nova-config/cpu-set'

type Node = { cpus: string; freeGpus: number | null; gpus: number }

/**
 * CPU sets that reserve `count` CPUs for GPU servers: the last ones of the nodes with GPUs, so that pinned servers get
 * CPUs and card on one node. CPUs that nova.conf reserves for the host are in neither set. Null: there are not enough.
 */
export const suggestSets = (
  nodes: readonly Node[],
  { count, usable, dedicated }: { count: number; usable: string | null; dedicated: string | null },
): { shared: string; dedicated: string } | null => {
  const mayUse = usable === null ? null : parseCpuSet(usable)
  const held = parseCpuSet(dedicated ?? '')
  const isUsable = (cpu: number): boolean => mayUse === null || mayUse.has(cpu) || held.has(cpu)
  const ordered = nodes
    .toSorted((a, b) => Number(b.gpus > 0) - Number(a.gpus > 0))
    .flatMap(({ cpus }) => [...parseCpuSet(cpus)].filter(isUsable).toSorted((a, b) => b - a))
  const ordinaryCpus = [
    ...ordered.filter((cpu) => held.has(cpu)),
    ...ordered.filter((cpu) => !held.has(cpu)),
  ].slice(0, Math.max(count, held.size))
  const rest = ordered.filter((cpu) => !ordinaryCpus.includes(cpu))
  return ordinaryCpus.length < count || rest.length === 0 || count === 0
    ? null
    : { shared: formatCpuSet(rest), dedicated: formatCpuSet(ordinaryCpus) }
}
