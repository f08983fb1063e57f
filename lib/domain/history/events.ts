/** A pGPU as a row of its history has it; numbers in vGPUs, null is unknown. */
export type PgpuPoint = {
  model: string | null
  typeId: string | null
  typeName: string | null
  framework: string
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
}

/**
 * The cloud's data of a pGPU; `aggregates` null: Nova has not reported them; `because`: why vGPUs are stranded, if known.
 */
export type CloudPoint = {
  stranded: number | null
  because?: string | null
  aggregates: readonly string[] | null
}

/** What a guest holds: vGPUs and whole cards. */
export type Holding = {
  flavorName: string | null
  projectId: string | null
  projectName: string | null
  count: number
}

/**
 * A change of the history, at `at` (ms since the epoch). A point of null: the pGPU is not among the host's GPUs any more, the
 * cloud has no word on it, the guest holds nothing.
 */
export type HistoryEvent = { at: number; hostId: number } & (
  | { kind: 'pgpu'; address: string; point: PgpuPoint | null }
  | { kind: 'cloud'; address: string; point: CloudPoint | null }
  | { kind: 'guest'; uuid: string; point: Holding | null }
  | { kind: 'watch'; isWatched: boolean }
)

/** A stretch in which an agent watched its host, in ms since the epoch. */
export type Watch = { hostId: number; since: number; until: number }

/** Stretches as events: those of a host that touch or overlap count as one, and empty ones not at all. */
export const watchEvents = (watches: readonly Watch[]): HistoryEvent[] => {
  const sorted = watches
    .filter(({ since, until }) => until > since)
    .toSorted((a, b) => a.hostId - b.hostId || a.since - b.since)
  const merged: Watch[] = []
  for (const watch of sorted) {
    const last = merged.at(-1)
    if (last?.hostId === watch.hostId && watch.since <= last.until)
      last.until = Math.max(last.until, watch.until)
    else merged.push({ ...watch })
  }
  return merged.flatMap(({ hostId, since, until }) => [
    { kind: 'watch' as const, hostId, at: since, isWatched: true },
    { kind: 'watch' as const, hostId, at: until, isWatched: false },
  ])
}
