import 'server-only'
import type { HistoryEvent } from '@/lib/domain/history/events'
import { ALL, type Group, passthroughKey } from '@/lib/domain/history/groups'
import { type RolledGroup, rollUp, type Spans } from '@/lib/domain/history/roll-up'

const subjectOf = (event: HistoryEvent): string => {
  if (event.kind === 'pgpu') return event.address
  return event.kind === 'cloud' ? `cloud ${event.address}` : event.kind
}

/** Of the events before `begin`, only the last one of each pGPU. */
const sinceStood = (events: readonly HistoryEvent[], begin: number): readonly HistoryEvent[] => {
  const later = events.findIndex(({ at }) => at > begin)
  const first = later === -1 ? events.length : later
  const last = new Map<string, HistoryEvent>()
  for (const event of events.slice(0, first)) last.set(subjectOf(event), event)
  return [...last.values(), ...events.slice(first)]
}

/** The figures of one host as a whole (`all`: vGPUs, and passthrough GPUs under their own key) and of each of its pGPUs (`pgpu`), from the changes since before `begin`, in order. */
export const rollUpHost = (events: readonly HistoryEvent[], spans: Spans): RolledGroup[] => {
  // The same list for the same pGPU again, which saves the search for its groups.
  const groups = new Map<string, Group[]>()
  const groupsAt = (address: string, isPassthrough: boolean): Group[] => {
    const name = `${isPassthrough} ${address}`
    const known = groups.get(name)
    if (known !== undefined) return known
    const list = [
      isPassthrough ? { ...ALL, key: passthroughKey('') } : ALL,
      { dimension: 'pgpu', key: address, label: address },
    ]
    groups.set(name, list)
    return list
  }
  return rollUp({
    events: sinceStood(events, spans.begin),
    ...spans,
    groupsOfPgpu: ({ framework }, _word, address) => groupsAt(address, framework === 'passthrough'),
    groupsOfHolding: () => [],
  })
}

/** When the host is known: of a host with passthrough GPUs alone, theirs. */
export const fleetSlots = (groups: readonly RolledGroup[]): RolledGroup['slots'] =>
  groups.filter(({ dimension }) => dimension === 'all').toSorted((a, b) => (a.key < b.key ? -1 : 1))[0]
    ?.slots ?? []
