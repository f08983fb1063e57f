import type { MigrationHostDto, MigrationMatrixDto, MigrationPairDto } from '@/lib/schemas/api/migration'

/** A row and a column: a host, or hosts that are equal in all that matters. */
export type MatrixLine = { group: number; first: MigrationHostDto; hosts: readonly MigrationHostDto[] }

export type MatrixView = {
  lines: readonly MatrixLine[]
  /** Equal hosts are grouped, by request or because there are too many. */
  isGrouped: boolean
  isTooMany: boolean
  /** Lines beyond those drawn. */
  hidden: number
}

/** 30 x 30 cells are drawn at once: a page has at most 1,500 elements. */
export const MAX_LINES = 30

const byGroup = (hosts: readonly MigrationHostDto[]): MatrixLine[] => {
  const groups = new Map<number, MigrationHostDto[]>()
  for (const host of hosts) {
    const held = groups.get(host.group)
    if (held === undefined) groups.set(host.group, [host])
    else held.push(host)
  }
  return [...groups].flatMap(([group, held]) =>
    held[0] === undefined ? [] : [{ group, first: held[0], hosts: held }],
  )
}

/** Rows and columns of the hosts whose name holds `q`, host by host where that can be drawn. */
export const matrixView = (
  { hosts }: Pick<MigrationMatrixDto, 'hosts'>,
  { q, isGrouped }: { q: string; isGrouped: boolean },
): MatrixView => {
  const word = q.trim().toLowerCase()
  const shown = hosts.filter(({ name }) => name.toLowerCase().includes(word))
  const isTooMany = shown.length > MAX_LINES
  const lines =
    isGrouped || isTooMany
      ? byGroup(shown)
      : shown.map((host) => ({ group: host.group, first: host, hosts: [host] }))
  return {
    lines: lines.slice(0, MAX_LINES),
    isGrouped: isGrouped || isTooMany,
    isTooMany,
    hidden: Math.max(0, lines.length - MAX_LINES),
  }
}

export type Ways = ReadonlyMap<number, ReadonlyMap<number, MigrationPairDto>>

/** Pairs by source and destination group. */
export const indexWays = ({ pairs }: Pick<MigrationMatrixDto, 'pairs'>): Ways => {
  const ways = new Map<number, Map<number, MigrationPairDto>>()
  for (const pair of pairs) {
    const from = ways.get(pair.source) ?? new Map<number, MigrationPairDto>()
    ways.set(pair.source, from.set(pair.destination, pair))
  }
  return ways
}

/** The way from one line to another; null: from a host to itself. */
export const wayOf = (ways: Ways, from: MatrixLine, to: MatrixLine): MigrationPairDto | null =>
  from.first.name === to.first.name && from.hosts.length < 2
    ? null
    : (ways.get(from.group)?.get(to.group) ?? null)

export type WayCounts = Record<MigrationPairDto['verdict'], number>

/** Ways from host to host by verdict. */
export const countWays = (ways: Ways, lines: readonly MatrixLine[]): WayCounts => {
  const counts: WayCounts = { possible: 0, later: 0, blocked: 0, unknown: 0 }
  for (const from of lines) {
    for (const to of lines) {
      const way = wayOf(ways, from, to)
      const isOwn = from.first.name === to.first.name
      if (way !== null) counts[way.verdict] += from.hosts.length * (to.hosts.length - (isOwn ? 1 : 0))
    }
  }
  return counts
}

/** The line that holds a host; null when it is not drawn. */
export const lineOfHost = (lines: readonly MatrixLine[], name: string | null): MatrixLine | null =>
  name === null ? null : (lines.find(({ hosts }) => hosts.some((host) => host.name === name)) ?? null)
