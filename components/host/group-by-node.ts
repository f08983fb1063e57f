import type { HostDetail } from '@/lib/schemas/api/host'

type NumaNode = NonNullable<HostDetail['numaNodes']>[number]
type HostPgpu = HostDetail['pgpus'][number]

/** A NUMA node with the pGPUs near it; `id` null: the kernel does not say where they are. */
export type NodeGroup = { id: number | null; node: NumaNode | null; pgpus: HostPgpu[] }

/** pGPUs by NUMA node, nodes without any left out, the unknown ones last. */
export const groupByNode = ({ pgpus, numaNodes }: Pick<HostDetail, 'pgpus' | 'numaNodes'>): NodeGroup[] => {
  const groups = new Map<number | null, HostPgpu[]>()
  for (const pgpu of pgpus) groups.set(pgpu.numaNode, [...(groups.get(pgpu.numaNode) ?? []), pgpu])
  return [...groups]
    .map(([id, held]) => ({ id, node: numaNodes?.find((node) => node.id === id) ?? null, pgpus: held }))
    .toSorted((a, b) => (a.id ?? Number.MAX_SAFE_INTEGER) - (b.id ?? Number.MAX_SAFE_INTEGER))
}
