import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { type FlavorLike, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { readCpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { oncePer } from '@/lib/util/once-per'

/** One NUMA node: its CPUs by nova.conf's sets, its memory, its GPUs, and what servers that are bound to nodes leave of it. */
export type NodeHeadroom = {
  id: number
  cpus: string
  /** Null: nova.conf could not be read. */
  shared: number | null
  dedicated: number | null
  /** Of the dedicated CPUs those that no guest is pinned to; null: not known. */
  dedicatedFree: number | null
  memoryMib: number | null
  /** Without what guests hold that are bound to the node: so Nova counts, which lets all others float. Null: not known. */
  memoryFreeMib: number | null
  gpus: number
  /** GPUs of which something is free; null: not known of all. */
  freeGpus: number | null
}

/** Extra specs that give a server a NUMA topology (nova/virt/hardware.py numa_get_constraints). */
const asksForNodes = ({ extraSpecs }: Pick<FlavorLike, 'extraSpecs'>): boolean =>
  ['dedicated', 'mixed'].includes(extraSpecs['hw:cpu_policy'] ?? '') ||
  extraSpecs['hw:numa_nodes'] !== undefined ||
  extraSpecs['hw:mem_page_size'] !== undefined

const freeCount = (entries: readonly JoinedPgpu[]): number | null => {
  const free = entries.map(freeByHardware)
  return free.some(({ value }) => value === null) ? null : free.filter(({ value }) => (value ?? 0) > 0).length
}

/** Why what guests hold of the nodes is not known; null: it is. Agents of old, and those without guests, do not tell. */
export const nodeGap = ({ host, servers }: JoinedHost): string | null => {
  const { guests } = host.inventory
  if (host.inventory.host.numaNodes === null) return 'the agent does not report the NUMA nodes'
  if (guests === null) return 'the guests could not be read'
  const bound = new Set(guests.filter(({ numa }) => numa !== undefined).map(({ uuid }) => uuid))
  const unbound = servers.find((server) => asksForNodes(server) && !bound.has(server.uuid))
  return unbound === undefined
    ? null
    : `the agent does not report the NUMA node of ${unbound.name}: upgrade the agent`
}

/** The NUMA nodes of a host; null: its agent does not report them. Each flavor that requests NUMA nodes needs them in a round. */
export const nodeHeadroom = oncePer((joined: JoinedHost): readonly NodeHeadroom[] | null => {
  const { host, pgpus } = joined
  const { numaNodes } = host.inventory.host
  if (numaNodes === null) return null
  const config = host.inventory.novaConfig
  const all = new Set(numaNodes.flatMap(({ cpus }) => [...parseCpuSet(cpus)]))
  const split = config === null ? null : splitOf(readCpuOptions(config), all)
  const isKnown = nodeGap(joined) === null
  const bound = (host.inventory.guests ?? []).flatMap(({ numa }) => numa ?? [])
  const pinned = new Set(bound.flatMap(({ cpus }) => [...parseCpuSet(cpus)]))
  return numaNodes.map(({ id, cpus, memoryMib }) => {
    const own = [...parseCpuSet(cpus)]
    const dedicated = split === null ? null : own.filter((cpu) => split.dedicated.has(cpu))
    const entries = pgpus.filter(({ pgpu }) => pgpu.numaNode === id && pgpu.framework !== 'none')
    const heldMib = bound
      .flatMap(({ memory }) => memory)
      .reduce((sum, part) => sum + (part.node === id ? part.memoryMib : 0), 0)
    return {
      id,
      cpus,
      shared: split === null ? null : own.filter((cpu) => split.shared.has(cpu)).length,
      dedicated: dedicated?.length ?? null,
      dedicatedFree:
        dedicated === null || !isKnown ? null : dedicated.filter((cpu) => !pinned.has(cpu)).length,
      memoryMib,
      memoryFreeMib: memoryMib === null || !isKnown ? null : Math.max(0, memoryMib - heldMib),
      gpus: entries.length,
      freeGpus: freeCount(entries),
    }
  })
})

/** Whether a server's card has to be on one of its nodes: Nova's policy `legacy`, unless the card is on none. */
const isCardBound = ({ pgpus }: JoinedHost, flavor: FlavorLike): boolean => {
  const policy = flavor.extraSpecs['hw:pci_numa_affinity_policy'] ?? 'legacy'
  if (readFlavorRequest(flavor).aliases.length === 0 || !['legacy', 'required'].includes(policy)) return false
  return pgpus.every(
    ({ pgpu }) => pgpu.numaNode !== null || pgpu.framework === 'none' || policy === 'required',
  )
}

/** A server must fit in the node's memory, and all of them in the memory times the allocation ratio, where that is known. */
const serversByMemory = ({ root }: JoinedHost, node: NodeHeadroom, memoryMib: number): number => {
  const ratio = root.value?.inventories?.MEMORY_MB?.allocationRatio ?? null
  const total = node.memoryMib ?? 0
  if (memoryMib > total) return 0
  if (ratio === null) return Number.MAX_SAFE_INTEGER
  const held = total - (node.memoryFreeMib ?? total)
  return Math.max(0, Math.floor((total * ratio - held) / Math.max(1, memoryMib)))
}

/**
 * Servers of a flavor that the NUMA nodes take one by one: pinned CPUs, memory, and the card of the node. Null: the flavor asks
 * for no node. mdevs have no node to Nova. Source: nova/virt/hardware.py numa_fit_instance_to_host, nova/pci/stats.py.
 */
export const serversByNodes = (joined: JoinedHost, flavor: FlavorLike): Known | null => {
  if (!asksForNodes(flavor)) return null
  const nodes = nodeHeadroom(joined)
  if (nodes === null || nodes.some(({ memoryFreeMib }) => memoryFreeMib === null))
    return unknown(nodeGap(joined) ?? 'the agent does not report the memory of the NUMA nodes')
  const wanted = Math.max(1, Number.parseInt(flavor.extraSpecs['hw:numa_nodes'] ?? '1', 10) || 1)
  const isPinned = flavor.extraSpecs['hw:cpu_policy'] === 'dedicated'
  if (isPinned && nodes.some(({ dedicatedFree }) => dedicatedFree === null))
    return unknown('nova.conf could not be read')
  const [vcpus, memoryMib] = [Math.ceil(flavor.vcpus / wanted), Math.ceil(flavor.memoryMib / wanted)]
  // A server over several nodes may have its card on any of them.
  const isBound = wanted === 1 && isCardBound(joined, flavor)
  if (isBound && nodes.some(({ freeGpus }) => freeGpus === null))
    return unknown('not all GPUs are known to be free or used')
  const counts = nodes.map((node) =>
    Math.min(
      isPinned ? Math.floor((node.dedicatedFree ?? 0) / Math.max(1, vcpus)) : Number.MAX_SAFE_INTEGER,
      serversByMemory(joined, node, memoryMib),
      isBound ? (node.freeGpus ?? 0) : Number.MAX_SAFE_INTEGER,
    ),
  )
  let servers = Math.floor(counts.reduce((sum, count) => sum + count, 0) / wanted)
  while (servers > 0 && counts.reduce((sum, count) => sum + Math.min(count, servers), 0) < wanted * servers)
    servers -= 1
  return known(servers)
}
