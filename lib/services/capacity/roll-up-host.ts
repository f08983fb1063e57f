import 'server-only'
import type { HistoryEvent } from '@/lib/domain/history/events'
import type { Group } from '@/lib/domain/history/groups'
import { type RolledGroup, rollUp, type Spans } from '@/lib/domain/history/roll-up'

const subjectOf = (event: HistoryEvent): string => {
  if (event.kind === 'pgpu') return event.address
  return event.kind === 'cloud' ? `cloud ${event.address}` : event.kind
}

/** Of what stood before `begin` the last word of each pGPU alone. */
const sinceStood = (events: readonly HistoryEvent[], begin: number): readonly HistoryEvent[] => {
  const later = events.findIndex(({ at }) => at > begin)
  const first = later === -1 ? events.length : later
  const last = new Map<string, HistoryEvent>()
  for (const event of events.slice(0, first)) last.set(subjectOf(event), event)
  return [...last.values(), ...events.slice(first)]
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
