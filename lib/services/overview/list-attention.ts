import { findingTitle } from '@/lib/domain/findings/finding-title'
import type { FindingMark } from '@/lib/domain/findings/list-findings'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { Overview } from '@/lib/schemas/api/fleet'
import type { HostBlock } from '@/lib/services/fleet/card-table'
import type { Silence } from '@/lib/services/fleet/read-silence'
import type { Location } from './weigh-attention'

type Attention = Overview['attention'][number]

/** What hosts say themselves, and where. */
export type OwnAttention = Attention & { locations: Location[] }

const MAX_SUBJECTS = 5

const hostSubjects = (hosts: readonly { name: string }[]): Attention['subjects'] =>
  hosts.slice(0, MAX_SUBJECTS).map(({ name }) => ({ kind: 'host', host: name }))

/** One entry for silence: if the console receives no reports, the entry names that instead of silent hosts. */
const silenceAttention = ({ silent, blindness, hostCount }: Silence): OwnAttention[] => {
  const gone = silent.filter(({ seenAt }) => seenAt !== null)
  const fresh = silent.filter(({ seenAt }) => seenAt === null)
  const locationsOf = (hosts: readonly { name: string }[]): Location[] =>
    hosts.map(({ name }) => ({ host: name, address: null }))
  const entries: OwnAttention[] = []
  if (blindness.isFleetSilent)
    entries.push({
      code: 'console-blind',
      locations: locationsOf(gone),
      severity: 'error',
      sentence: `The console is blind: ${gone.length} of ${hostCount} hosts are silent, most since the same moment`,
      count: gone.length,
      subjects: [],
      isTracked: false,
      since: null,
    })
  else if (gone.length > 0)
    entries.push({
      code: 'hosts-silent',
      locations: locationsOf(gone),
      severity: 'warning',
      sentence: 'Hosts do not report: totals include their last known numbers',
      count: gone.length,
      subjects: hostSubjects(gone),
      isTracked: false,
      since: null,
    })
  if (fresh.length > 0)
    entries.push({
      code: 'hosts-never-reported',
      locations: locationsOf(fresh),
      severity: 'info',
      sentence: 'Hosts are enrolled but have not reported yet',
      count: fresh.length,
      subjects: hostSubjects(fresh),
      isTracked: false,
      since: null,
    })
  return entries
}

const subjectOf = (host: string, { pgpuAddress }: FindingMark): Attention['subjects'][number] =>
  pgpuAddress === null ? { kind: 'host', host } : { kind: 'pgpu', host, address: pgpuAddress }

const addMark = (groups: Map<string, OwnAttention>, host: string, mark: FindingMark): void => {
  const group = groups.get(mark.code) ?? {
    locations: [],
    code: mark.code,
    severity: mark.severity,
    sentence: findingTitle(mark.code),
    count: 0,
    subjects: [],
    isTracked: false,
    since: null,
  }
  groups.set(mark.code, group)
  group.count += 1
  group.locations.push({ host, address: mark.pgpuAddress })
  if (compareSeverity(mark.severity, group.severity) < 0) group.severity = mark.severity
  if (group.subjects.length < MAX_SUBJECTS) group.subjects.push(subjectOf(host, mark))
}

/** What the hosts themselves say needs attention. Findings of silent hosts are old, so they are left out. */
export const listAttention = ({
  hosts,
  silence,
}: {
  hosts: readonly HostBlock[]
  silence: Silence
}): OwnAttention[] => {
  const silentIds = new Set(silence.silent.map(({ id }) => id))
  const groups = new Map<string, OwnAttention>()
  for (const { id, name, findings } of hosts) {
    if (silentIds.has(id)) continue
    for (const mark of findings) addMark(groups, name, mark)
  }
  return [...silenceAttention(silence), ...groups.values()]
}
