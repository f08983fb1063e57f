import type { Severity } from '@/lib/schemas/severity'
import type { Encoded } from '@/lib/util/encode/encoded'

/** Whose word a piece of evidence is. */
export type EvidenceSource =
  | 'hardware'
  | 'nova.conf'
  | 'placement'
  | 'nova'
  | 'keystone'
  | 'neutron'
  | 'libvirt'
  | 'agent'

/** What one source reported. `at`: when, ISO 8601 UTC. */
export type Evidence = { source: EvidenceSource; reported: string; at: string | null }

/** The subject of a finding. Providers are identified by host and name, never by uuid, because Nova recreates them. */
export type Subject =
  | { kind: 'cloud' }
  | { kind: 'host'; host: string }
  | { kind: 'pgpu'; host: string; address: string }
  | { kind: 'provider'; host: string; name: string }
  | { kind: 'server'; uuid: string; name: string; host: string | null }
  | { kind: 'flavor'; id: string; name: string }
  | { kind: 'limit'; resourceName: string; regionId: string | null; projectId: string | null }
  | { kind: 'trait'; name: string }
  | { kind: 'aggregate'; name: string }

/** What a person pastes into a shell or into nova.conf, or sends to an API. */
export type FindingCommand = Encoded<'shell' | 'http' | 'nova-conf'>

/** A detected disagreement or risk. Sentences are plain; `sentence` is short enough for a table's row and has no full stop. */
export type Finding = {
  /** Code and subject: the same trouble has the same key in every round. */
  key: string
  code: string
  severity: Severity
  subject: Subject
  sentence: string
  /** What happens because of it. */
  consequence: string
  /** What to do next. */
  nextStep: string
  /** The literal command, API call or lines of nova.conf of the next step; null where there is none. */
  command: FindingCommand | null
  /** The source that is wrong; null when it is a risk and no source errs. */
  sourceToCorrect: EvidenceSource | null
  evidence: readonly Evidence[]
}

/** A detector that could not look: findings of `code` within `scope` are neither opened nor closed. */
export type Unverified = { code: string; scope: Subject; because: string }

const PARTS: { [Kind in Subject['kind']]: (subject: Extract<Subject, { kind: Kind }>) => (string | null)[] } =
  {
    cloud: () => [],
    host: ({ host }) => [host],
    pgpu: ({ host, address }) => [host, address],
    provider: ({ host, name }) => [host, name],
    server: ({ uuid }) => [uuid],
    flavor: ({ id }) => [id],
    limit: ({ resourceName, regionId, projectId }) => [resourceName, regionId, projectId],
    trait: ({ name }) => [name],
    aggregate: ({ name }) => [name],
  }

/** A text that names a subject: equal for the same thing in every round, different for different things. */
export const subjectKey = (subject: Subject): string => {
  // The table has every kind; TypeScript cannot infer that each kind selects the function for its subject.
  const partsOf = PARTS[subject.kind] as (subject: Subject) => (string | null)[]
  const parts = partsOf(subject).map((part) => (part === null ? '-' : encodeURIComponent(part)))
  return [subject.kind, ...parts].join('/')
}

/** The stable key of a finding; `part` distinguishes several findings of one code on one subject. */
export const findingKey = (code: string, subject: Subject, part: string | null = null): string =>
  `${code}:${subjectKey(subject)}${part === null ? '' : `#${encodeURIComponent(part)}`}`

const hostOf = (subject: Subject): string | null => ('host' in subject ? subject.host : null)

/** Whether a subject is within a scope: all of a cloud, everything of a host or pGPU, or the same object. */
export const isWithin = (subject: Subject, scope: Subject): boolean => {
  if (scope.kind === 'cloud') return true
  if (scope.kind === 'host') return hostOf(subject) === scope.host
  return subjectKey(subject) === subjectKey(scope)
}
