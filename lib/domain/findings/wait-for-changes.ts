import type { Finding, Subject } from './finding'

/** What an active change holds: a pGPU by host and address, or `flavor`, `limit`, `aggregate` and a name. */
export type ChangeHold = { host: string; address: string }

/** No change of the console causes these, or they have to open even while one runs. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'agent-outdated',
  'clock-off',
  'driver-warning',
  'enrollment-waiting',
  'gpu-lost',
  'guests-outside-libvirt',
  'host-silent',
  'nova-compute-down',
])

/** Names under which a change may hold a subject. address null: any hold on the host. */
const holdOf = (subject: Subject): { host: string; address: string | null } | null => {
  switch (subject.kind) {
    case 'pgpu':
      return { host: subject.host, address: subject.address }
    case 'host':
    case 'provider':
      return { host: subject.host, address: null }
    case 'server':
      return subject.host === null ? null : { host: subject.host, address: null }
    case 'flavor':
      return { host: 'flavor', address: subject.name }
    case 'limit':
      return { host: 'limit', address: subject.resourceName }
    case 'aggregate':
      return { host: 'aggregate', address: subject.name }
    case 'trait':
    case 'cloud':
      return null
  }
}

const isHeld = (subject: Subject, holds: readonly ChangeHold[]): boolean => {
  const wanted = holdOf(subject)
  return (
    wanted !== null &&
    holds.some(
      ({ host, address }) => host === wanted.host && (wanted.address === null || address === wanted.address),
    )
  )
}

/**
 * Findings that may open now. While a change of the console is active on the same subject, what it writes is no finding: a
 * finding that is not open yet waits for the end of the change.
 */
export const waitForChanges = ({
  findings,
  holds,
  isOpen,
}: {
  findings: readonly Finding[]
  holds: readonly ChangeHold[]
  isOpen: (key: string) => boolean
}): Finding[] =>
  holds.length === 0
    ? [...findings]
    : findings.filter(
        ({ code, key, subject }) => INDEPENDENT.has(code) || isOpen(key) || !isHeld(subject, holds),
      )
