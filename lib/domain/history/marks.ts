import { formatLength, formatNoun } from '@/lib/util/format'

/** The object of a mark, and where the console shows it. */
type MarkOf =
  | { kind: 'change'; id: number }
  | { kind: 'finding'; id: number }
  | { kind: 'host'; host: string }

/** Changes that ended, hosts that fell silent, findings that opened, close together; times in ms since the epoch. */
export type MarkEvent = { at: number } & (
  | { kind: 'change'; id: number; title: string; state: 'done' | 'undone' | 'dropped' }
  | {
      kind: 'silence'
      /** When the last of them reported again; null: one is still silent. */
      until: number | null
      /** How many hosts, and the first of them by name. */
      count: number
      /** Hosts of the whole cloud that fell silent then, where `count` is of a part of it. */
      together: number
      hosts: readonly string[]
    }
  | {
      kind: 'finding'
      code: string
      title: string
      severity: string
      /** Those that opened then, and those that came back after they had been closed. */
      opened: readonly number[]
      again: readonly number[]
      /** Subject and sentence of the first one. */
      first: string
    }
)

/** `fleet-silent`: more than half of the hosts fell silent at once, which points to the console and not to the hosts. */
type MarkKind = 'change' | 'fleet-silent' | 'silence' | 'finding'

/** A moment to be marked on a time axis: `count` events of one kind, of which `of` names the first ones. */
type Mark = {
  kind: MarkKind
  at: number
  /** End of a silence; null: it has none, or it continues. */
  until: number | null
  label: string
  count: number
  of: readonly MarkOf[]
}

/** Marks in the order of time, and how many events of each kind are not among them. */
export type ChosenMarks = { marks: Mark[]; more: { changes: number; silences: number; findings: number } }

const MAX_MARKS = 30
/** Of each kind before what is more urgent may take all the rest. */
const MAX_OF_KIND = 7
const MAX_NAMED = 5
const URGENCY: readonly MarkKind[] = ['fleet-silent', 'change', 'silence', 'finding']

/** Silences shorter than this say nothing about capacity. */
const SHORTEST_SILENCE_MS = 30 * 60_000

/** A finding that was closed for less than this was never gone, and is not marked again. */
export const SHORTEST_CLOSED_MS = 30 * 60_000

/** How long a host has to be silent to be marked in a range: half an hour, or what can be seen of it in a chart. */
export const longSilenceMs = ({ from, until }: { from: number; until: number }): number =>
  Math.max(SHORTEST_SILENCE_MS, Math.ceil((until - from) / 200))

/** Events of one kind closer than this stand on one another in a chart. */
export const nearMs = ({ from, until }: { from: number; until: number }): number =>
  Math.max(60_000, Math.ceil((until - from) / 100))

const changeText = { done: '', undone: ' rolled back', dropped: ' discarded midway' } as const

type Of<Kind extends MarkEvent['kind']> = Extract<MarkEvent, { kind: Kind }>

const changeMark = (events: readonly Of<'change'>[]): Omit<Mark, 'at' | 'kind'> => {
  const [only] = events
  return {
    until: null,
    label:
      events.length === 1 && only !== undefined
        ? `change ${only.id}${changeText[only.state]}: ${only.title}`
        : `${events.length} changes: ${events
            .slice(0, MAX_NAMED)
            .map(({ id }) => id)
            .join(', ')}${events.length > MAX_NAMED ? ' …' : ''}`,
    count: events.length,
    of: events.slice(0, MAX_NAMED).map(({ id }) => ({ kind: 'change', id })),
  }
}

const silenceMark = (
  events: readonly Of<'silence'>[],
  { at, hostCount }: { at: number; hostCount: number },
): Omit<Mark, 'at'> => {
  const count = events.reduce((sum, event) => sum + event.count, 0)
  const together = events.reduce((sum, event) => sum + event.together, 0)
  const hosts = events.flatMap((event) => event.hosts)
  const ends = events.map(({ until }) => until)
  const until = ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0))
  const isFleetSilent = together > 1 && together * 2 > hostCount
  const time = until === null ? '' : formatLength(until - at)
  const label = isFleetSilent
    ? `console without data${until === null ? '' : ` for up to ${time}`}: ${together} of ${formatNoun(hostCount, 'host')} silent`
    : count === 1
      ? `${hosts[0] ?? 'a host'} silent ${until === null ? 'since then' : `for ${time}`}`
      : `${formatNoun(count, 'host')} silent ${until === null ? 'since then' : `for up to ${time}`}`
  return {
    kind: isFleetSilent ? 'fleet-silent' : 'silence',
    until,
    label,
    count,
    of: hosts.slice(0, MAX_NAMED).map((host) => ({ kind: 'host', host })),
  }
}

/** ` (again)`, ` (2 again)`. */
const againText = (again: number, count: number): string => {
  if (again === 0) return ''
  return again === count ? ' (again)' : ` (${again} again)`
}

const findingMark = (events: readonly Of<'finding'>[]): Omit<Mark, 'at' | 'kind'> => {
  const opened = new Set(events.flatMap((event) => event.opened))
  // The same finding may have opened again and again.
  const again = new Set(events.flatMap((event) => event.again).filter((id) => !opened.has(id)))
  const ids = [...opened, ...again]
  const [first] = events
  const words = ids.length === 1 ? first?.first : `${ids.length} × ${first?.title}`
  return {
    until: null,
    label: `${words}${againText(again.size, ids.length)}`,
    count: ids.length,
    of: ids.slice(0, MAX_NAMED).map((id) => ({ kind: 'finding', id })),
  }
}

/** Events of the same sort may share one mark. */
const sortOf = (event: MarkEvent): string =>
  event.kind === 'finding' ? `finding ${event.severity} ${event.code}` : event.kind

const groupsOf = (events: readonly MarkEvent[], near: number): MarkEvent[][] => {
  const open = new Map<string, MarkEvent[]>()
  const groups: MarkEvent[][] = []
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    const sort = sortOf(event)
    const group = open.get(sort)
    // From the first one on, so that what happens all the time does not become one mark.
    if (group?.[0] !== undefined && event.at - group[0].at < near) group.push(event)
    else {
      const begun = [event]
      groups.push(begun)
      open.set(sort, begun)
    }
  }
  return groups
}

const markOf = (group: readonly MarkEvent[], hostCount: number): Mark => {
  const at = group[0]?.at ?? 0
  const only = <Kind extends MarkEvent['kind']>(kind: Kind) =>
    group.filter((event): event is Of<Kind> => event.kind === kind)
  const [changes, silences] = [only('change'), only('silence')]
  if (changes.length > 0) return { kind: 'change', at, ...changeMark(changes) }
  if (silences.length > 0) return { at, ...silenceMark(silences, { at, hostCount }) }
  return { kind: 'finding', at, ...findingMark(only('finding')) }
}

const weightOf = ({ kind, at, until, count }: Mark): number =>
  kind === 'silence' || kind === 'fleet-silent'
    ? count * (until === null ? Number.MAX_SAFE_INTEGER / 1e6 : until - at)
    : count

const countOf = (marks: readonly Mark[], kinds: readonly MarkKind[]): number =>
  marks.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0)

/**
 * The marks of a range: events of one kind (findings: of one code) that stand on one another become one, and the weightiest 30
 * are taken, some of each kind. `hostCount`: hosts of the cloud, of which more than half at once make the console blind.
 */
export const chooseMarks = (
  events: readonly MarkEvent[],
  { from, until, hostCount }: { from: number; until: number; hostCount: number },
): ChosenMarks => {
  const all = groupsOf(events, nearMs({ from, until })).map((group) => markOf(group, hostCount))
  const byKind = URGENCY.map((kind) =>
    all.filter((mark) => mark.kind === kind).toSorted((a, b) => weightOf(b) - weightOf(a) || b.at - a.at),
  )
  const ordered = [
    ...byKind.flatMap((marks) => marks.slice(0, MAX_OF_KIND)),
    ...byKind.flatMap((marks) => marks.slice(MAX_OF_KIND)),
  ]
  const left = ordered.slice(MAX_MARKS)
  return {
    marks: ordered.slice(0, MAX_MARKS).toSorted((a, b) => a.at - b.at),
    more: {
      changes: countOf(left, ['change']),
      silences: countOf(left, ['silence', 'fleet-silent']),
      findings: countOf(left, ['finding']),
    },
  }
}
