import type { GpuServer, GpuServerList, GpuServerSort, GpuServerState } from '@/lib/schemas/api/gpu-server'
import { naturalRanks } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import { searchTerms } from '@/lib/util/search-terms'

const isIn = ({ gpus, unknownReason, hostState }: GpuServer, state: GpuServerState | null): boolean => {
  if (state === null) return true
  if (state === 'unknown') return unknownReason !== null
  if (state === 'silent') return hostState !== 'reporting'
  return gpus.some(({ kind }) => kind === state)
}

const VALUES: Record<GpuServerSort, (server: GpuServer) => string | null> = {
  name: ({ name }) => name,
  status: ({ status, guestState }) => status ?? guestState,
  project: ({ projectName, projectId }) => projectName ?? projectId,
  flavor: ({ flavorName }) => flavorName,
  host: ({ host }) => host,
  type: ({ gpus: [gpu] }) => gpu?.typeName ?? gpu?.kind ?? null,
  created: ({ createdAt }) => createdAt,
}

const textOf = ({ gpus, ...server }: GpuServer): string =>
  [
    server.name,
    server.uuid,
    server.status,
    server.projectName,
    server.projectId,
    server.flavorName,
    server.host,
    ...gpus.flatMap(({ address, device, typeName, kind }) => [address, device, typeName, kind]),
  ]
    .join(' ')
    .toLowerCase()

/** By name, with the text and the ranks of each one: once for all requests for the same servers. */
const prepare = oncePer((unsorted: readonly GpuServer[]) => {
  const ofName = naturalRanks(unsorted.map(({ name }) => name))
  const servers = unsorted
    .map((server, at) => ({ server, rank: ofName[at] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ server }) => server)
  const held = new Map<GpuServerSort, Int32Array>()
  const ranksBy = (sort: GpuServerSort): Int32Array => {
    const ranks = held.get(sort) ?? naturalRanks(servers.map((server) => VALUES[sort](server) ?? ''))
    held.set(sort, ranks)
    return ranks
  }
  return { rows: servers.map((server, at) => ({ server, at, text: textOf(server) })), ranksBy }
})

export type GpuServerFilter = { q: string; state: GpuServerState | null; sort: GpuServerSort; desc: boolean }

/** The servers that contain every word of `q` and are in `state`, sorted; unknown values are last. Equal ones are sorted by name. */
export const arrangeServers = (
  servers: readonly GpuServer[],
  { q, state, sort, desc }: GpuServerFilter,
): GpuServer[] => {
  const words = searchTerms(q)
  const { rows, ranksBy } = prepare(servers)
  const ranks = ranksBy(sort)
  const direction = desc ? -1 : 1
  return rows
    .filter(({ server, text }) => isIn(server, state) && words.every((word) => text.includes(word)))
    .map(({ server, at }) => ({
      server,
      isUnknown: VALUES[sort](server) === null,
      rank: ranks[at] ?? 0,
    }))
    .sort((a, b) => Number(a.isUnknown) - Number(b.isUnknown) || direction * (a.rank - b.rank))
    .map(({ server }) => server)
}

export const countServers = (servers: readonly GpuServer[]): GpuServerList['counts'] => {
  const countOf = (state: GpuServerState): number => servers.filter((server) => isIn(server, state)).length
  return {
    all: servers.length,
    vgpu: countOf('vgpu'),
    passthrough: countOf('passthrough'),
    unknown: countOf('unknown'),
    silent: countOf('silent'),
  }
}
