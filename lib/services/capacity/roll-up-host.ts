import 'server-only'
import type { HistoryEvent } from '@/lib/domain/history/events'
import type { Group } from '@/lib/domain/history/groups'
import { type RolledGroup, rollUp, type Spans } from '@/lib/domain/history/roll-up'

/** Of what stood before `begin` the last word of each pGPU alone. */
const sinceStood = (events: readonly HistoryEvent[], begin: number): readonly HistoryEvent[] => {
  const first = events.findIndex(({ at }) => at > begin)
  const before = first === -1 ? events : events.slice(0, first)
  const last = new Map(
    before.map((event) => [`${event.kind} ${'address' in event ? event.address : ''}`, event]),
  )
  return [...last.values(), ...(first === -1 ? [] : events.slice(first))]
}

/** The figures of one host as a whole (`all`) and of each of its pGPUs (`pgpu`), from the changes since before `begin`, in order. */
export const rollUpHost = (events: readonly HistoryEvent[], spans: Spans): RolledGroup[] => {
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
    events: sinceStood(events, spans.begin),
    ...spans,
    groupsOfPgpu: (_point, _word, address) => groups.get(address) ?? groupsAt(address),
    groupsOfHolding: () => [],
  })
}
