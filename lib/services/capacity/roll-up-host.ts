import 'server-only'
import { watchEvents } from '@/lib/domain/history/events'
import type { Group } from '@/lib/domain/history/groups'
import { type RolledGroup, rollUp, type Spans } from '@/lib/domain/history/roll-up'
import type { Query } from '@/lib/server/database/database'
import { loadPgpuHistory, loadWatches } from '@/lib/services/history/load-history'

/** The figures of one host as a whole (`all`) and of each of its pGPUs (`pgpu`), straight from the changes. */
export const rollUpHost = async (
  query: Query,
  { hostId, begin, stepMs, until }: Spans & { hostId: number },
): Promise<RolledGroup[]> => {
  const range = { hostIds: [hostId], from: new Date(begin), until: new Date(until) }
  const [history, watches] = await Promise.all([loadPgpuHistory(query, range), loadWatches(query, range)])
  // The same list for the same pGPU again, which saves the search for its groups.
  const groups = new Map<string, Group[]>()
  const groupsAt = (address: string): Group[] => {
    const list = [
      { dimension: 'all', key: '', label: '' },
      { dimension: 'pgpu', key: address, label: address },
    ]
    groups.set(address, list)
    return list
  }
  return rollUp({
    events: [...watchEvents(watches), ...history].toSorted((a, b) => a.at - b.at),
    begin,
    stepMs,
    until,
    groupsOfPgpu: (_point, _word, address) => groups.get(address) ?? groupsAt(address),
    groupsOfHolding: () => [],
  })
}
