import { createHistoryNumbers, type HistoryNumbers } from './history-numbers'
import type { HostState } from './host-state'
import { createKnownHosts, type KnownHosts } from './known-hosts'

/** What is stored of the hosts that reported last; a host that is not here is read from the database. */
export type HostStateCache = {
  /** What is stored below the host if it is that of the given version. */
  at: (hostId: number, version: number) => HostState | undefined
  put: (hostId: number, state: HostState) => void
  /** Their own rows. */
  hosts: KnownHosts
  /** Those by which their history is written. */
  numbers: HistoryNumbers
}

const rowCount = ({ rows: { pgpus, virtualFunctions, mdevs, guests, holdings } }: HostState): number =>
  16 + 2 * pgpus.length + virtualFunctions.length + mdevs.length + guests.length + holdings.length

/** Bounded by rows (some 300 bytes each); the hosts that were silent for longest go first. */
export const createHostStateCache = (mostRows = 500_000): HostStateCache => {
  const states = new Map<number, HostState>()
  let rows = 0

  const drop = (hostId: number): void => {
    const state = states.get(hostId)
    if (state === undefined) return
    states.delete(hostId)
    rows -= rowCount(state)
  }

  return {
    at: (hostId, version) => {
      const state = states.get(hostId)
      return state?.version === version ? state : undefined
    },
    put: (hostId, state) => {
      drop(hostId)
      states.set(hostId, state)
      rows += rowCount(state)
      if (rows <= mostRows) return
      for (const oldest of states.keys()) {
        drop(oldest)
        if (rows <= mostRows) return
      }
    },
    hosts: createKnownHosts(),
    numbers: createHistoryNumbers(),
  }
}
