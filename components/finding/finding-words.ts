import { className } from '@/components/quota/quota-words'
import type { FindingSubject, TrackedFinding } from '@/lib/schemas/api/finding'
import { SEVERITIES, type Severity } from '@/lib/schemas/severity'
import { formatNoun } from '@/lib/util/format'

export const SEVERITY_WORDS: Record<Severity, string> = { error: 'Error', warning: 'Warning', info: 'Note' }
const SEVERITY_NOUNS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' }

export const STATE_WORDS: Record<TrackedFinding['state'], string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  closed: 'Resolved',
}

export const SOURCES = [
  'hardware',
  'nova.conf',
  'placement',
  'nova',
  'keystone',
  'neutron',
  'libvirt',
  'agent',
] as const
export type Source = (typeof SOURCES)[number]

export const SOURCE_WORDS: Record<Source, string> = {
  hardware: 'hardware',
  'nova.conf': 'nova.conf',
  placement: 'Placement',
  nova: 'Nova',
  keystone: 'Keystone',
  neutron: 'Neutron',
  libvirt: 'libvirt',
  agent: 'agent',
}

/** The source to correct; what the host itself holds (devices, mdevs, guests) is one source to an operator. */
export const SOURCE_TO_CORRECT_LABELS: Record<Source, string> = {
  ...SOURCE_WORDS,
  hardware: 'host state',
  libvirt: 'host state',
}

/** A row's short sentence, begun as a heading begins; a name at its start (`cmp-1`, `nova.conf`) stays as it is written. */
export const asSentence = (text: string, names: readonly string[] = []): string => {
  const [first] = /^[a-z]+(?=\s)/.exec(text) ?? []
  return first === undefined || names.includes(first) ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** Names that a sentence about the subject may begin with. */
const subjectNames = (subject: FindingSubject): string[] =>
  [subjectHost(subject), 'name' in subject ? subject.name : null].filter((name) => name !== null)

/** The sentence of a finding, begun as a heading begins. */
export const findingSentence = ({
  sentence,
  subject,
}: Pick<TrackedFinding, 'sentence' | 'subject'>): string => asSentence(sentence, subjectNames(subject))

export const subjectHost = (subject: FindingSubject): string | null =>
  'host' in subject ? subject.host : null

const limitText = ({
  resourceName,
  regionId,
  projectId,
}: Extract<FindingSubject, { kind: 'limit' }>): string =>
  [
    `limit of ${className(resourceName)}`,
    regionId === null ? 'without region' : `in ${regionId}`,
    projectId === null ? null : `of project ${projectId}`,
  ]
    .filter((part) => part !== null)
    .join(' ')

/** What a finding is about, in words that the search and the CSV use too. */
export const subjectText = (subject: FindingSubject): string => {
  switch (subject.kind) {
    case 'cloud':
      return 'the cloud'
    case 'host':
      return subject.host
    case 'pgpu':
      return `${subject.host} ${subject.address}`
    case 'provider':
      return `provider ${subject.name}`
    case 'server':
      return subject.host === null ? `server ${subject.name}` : `server ${subject.name} on ${subject.host}`
    case 'limit':
      return limitText(subject)
    case 'flavor':
    case 'trait':
    case 'aggregate':
      return `${subject.kind} ${subject.name}`
  }
}

/** "2 errors, 1 note". */
export const severityCounts = (findings: readonly Pick<TrackedFinding, 'severity'>[]): string =>
  SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [formatNoun(count, SEVERITY_NOUNS[severity])]
  }).join(', ')
