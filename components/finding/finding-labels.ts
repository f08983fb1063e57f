import { subjectHost } from '@/lib/domain/finding-list/finding-labels'
import type { FindingSubject, TrackedFinding } from '@/lib/schemas/api/finding'
import type { Severity } from '@/lib/schemas/severity'

export const SEVERITY_LABELS: Record<Severity, string> = { error: 'Error', warning: 'Warning', info: 'Note' }

export const STATE_LABELS: Record<TrackedFinding['state'], string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  muted: 'Muted',
  closed: 'Resolved',
}

/** A row's short sentence with a capital at its beginning; a leading name (`cmp-1`, `nova.conf`) is unchanged. */
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
