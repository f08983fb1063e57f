import { SOURCE_TO_CORRECT_LABELS, subjectHost, subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { csvText, utcText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

type Cell = string | number | null

const COLUMNS: readonly (readonly [string, (finding: TrackedFinding) => Cell])[] = [
  ['id', ({ id }) => id],
  ['code', ({ code }) => code],
  ['title', ({ title }) => title],
  ['severity', ({ severity }) => severity],
  ['state', ({ state }) => state],
  ['subject_kind', ({ subject }) => subject.kind],
  ['subject', ({ subject }) => subjectText(subject)],
  ['host', ({ subject }) => subjectHost(subject)],
  ['pci_address', ({ subject }) => (subject.kind === 'pgpu' ? subject.address : null)],
  ['finding', ({ sentence }) => sentence],
  ['source_to_correct', ({ blame }) => (blame === null ? null : SOURCE_TO_CORRECT_LABELS[blame])],
  ['consequence', ({ consequence }) => consequence],
  ['next_step', ({ nextStep }) => nextStep],
  ['command', ({ command }) => command],
  ['opened_at', ({ openedAt }) => utcText(openedAt)],
  ['closed_at', ({ closedAt }) => utcText(closedAt)],
  ['reopened', ({ reopenedCount }) => reopenedCount],
  ['cannot_tell', ({ cannotTell }) => cannotTell],
  ['acknowledged_by', ({ acknowledgement }) => acknowledgement?.by ?? null],
  ['acknowledged_until', ({ acknowledgement }) => utcText(acknowledgement?.until ?? null)],
  ['note', ({ acknowledgement }) => acknowledgement?.note ?? null],
]

/** The findings in the order in which they are given, one line each. What is not there is an empty field. */
export const findingCsv = (cloud: string, findings: readonly TrackedFinding[]): Encoded<'csv'> =>
  csvText([
    ['cloud', ...COLUMNS.map(([name]) => name)],
    ...findings.map((finding) => [cloud, ...COLUMNS.map(([, read]) => read(finding))]),
  ])
