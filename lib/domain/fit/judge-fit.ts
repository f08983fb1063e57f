import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { naturalRanks } from '@/lib/util/natural-order'
import type { HostCounts, HostFit } from './explain-fit'
import { type FitReason, mainReason, NO_DEVICE, type Obstacles } from './main-reason'

/** Placement's own answer to the query. */
export type PlacementWord =
  | {
      state: 'answered'
      /** Roots of the trees that have a candidate. */
      roots: ReadonlySet<string>
      /** The answer ended at the limit: other hosts may have candidates too. */
      isCut: boolean
    }
  /** It takes the query for a mistake: no server that asks like this is ever placed. */
  | { state: 'refused'; because: string }
  /** It was not asked, or did not answer. */
  | { state: 'away' }

/** How Placement's answer differs from the last reading. */
type Discrepancy =
  /** Placement offers more than the hardware has. */
  | 'over-promise'
  /** One allows it, the other does not, and no known fact explains it. */
  | 'unexplained'

/** A host with the reading and Placement's answer compared. */
export type JudgedHost = Omit<HostFit, 'rootUuid' | 'blockers' | 'isBeyondPlacement'> & {
  state: 'fits' | 'blocked' | 'unknown'
  /** Placement's answer has a candidate on it; null: it did not say. */
  isOffered: boolean | null
  discrepancy: Discrepancy | null
  /** What prevents it, the main reason first; empty if servers fit. */
  reasons: readonly FitReason[]
}

/** Of hosts that are not known, which `unknownHosts` counts, the sums have what surely fits. */
export type JudgedFit = {
  fits: number
  byPlacement: number
  atOnce: number
  fittingHosts: number
  unknownHosts: number
  isExact: boolean
  /** Those that fit first, then the nearest miss. */
  hosts: readonly JudgedHost[]
}

const offerOf = (word: PlacementWord, { rootUuid }: HostFit): boolean | null => {
  if (word.state === 'refused') return false
  if (word.state === 'away' || rootUuid === null) return null
  if (word.roots.has(rootUuid)) return true
  return word.isCut ? null : false
}

const NO_OFFER: FitReason = {
  kind: 'unexplained',
  because: 'Placement does not offer it now, for an unknown reason',
}
const OFFER: FitReason = {
  kind: 'unexplained',
  because: 'Placement offers it now, but should not according to the last reading',
}

type Verdict = { fits: Known; discrepancy: Discrepancy | null; reasons: FitReason[] }

/** What a verdict by the last reading needs. */
type ReadHost = HostCounts & Obstacles

const unknownReason = (because: string): FitReason => ({ kind: 'unknown', because })

/** Placement offers more than the cards have: more vGPUs, or cards that do not exist. */
const overPromise = (host: ReadHost): Verdict => {
  const { fits, pgpus } = host
  const reasons = fits.value === 0 ? mainReason(host) : []
  const isOfCards = pgpus.some(({ blockers }) => blockers.some(({ kind }) => kind === 'hardware'))
  const isStray = fits.value === 0 && !isOfCards && reasons[0] !== NO_DEVICE
  return { fits, discrepancy: 'over-promise', reasons: isStray ? [NO_DEVICE, ...reasons] : reasons }
}

/** Placement offers the host. */
const judgeOffered = (host: HostFit): Verdict => {
  const { fits, byPlacement, blockers } = host
  if (fits.value === null) return { fits, discrepancy: null, reasons: [unknownReason(fits.reason)] }
  const promised = byPlacement.value ?? 0
  if (promised > fits.value && host.isExact) return overPromise(host)
  // The service, zones, aggregates and NUMA nodes are Nova's own filters: Placement knows nothing of them.
  const isNovas = blockers.some(({ kind }) =>
    ['service', 'zone', 'aggregate', 'alias', 'numa'].includes(kind),
  )
  if (fits.value > 0 || isNovas || host.isBeyondPlacement || !host.isExact)
    return { fits, discrepancy: null, reasons: fits.value > 0 ? [] : mainReason(host) }
  return { fits: unknown(OFFER.because), discrepancy: 'unexplained', reasons: [OFFER, ...mainReason(host)] }
}

/** Placement has no candidate on it, so nothing is scheduled there, independent of the hardware. */
const judgeNotOffered = (host: HostFit, word: PlacementWord): Verdict => {
  if (word.state === 'refused')
    return { fits: known(0), discrepancy: null, reasons: [{ kind: 'refused', because: word.because }] }
  const isPromised = (host.byPlacement.value ?? 0) > 0 && host.blockers.length === 0
  if (isPromised) return { fits: known(0), discrepancy: 'unexplained', reasons: [NO_OFFER] }
  const reasons = mainReason(host)
  const isExplained = reasons.some(({ kind }) => kind !== 'together' && kind !== 'device')
  return {
    fits: known(0),
    discrepancy: null,
    reasons: host.fits.value === null && !isExplained ? [unknownReason(host.fits.reason)] : reasons,
  }
}

/** By what was read last, without Placement's answer. */
export const judgeRead = (host: ReadHost): Verdict => {
  const { fits, byPlacement } = host
  if (fits.value === null) return { fits, discrepancy: null, reasons: [unknownReason(fits.reason)] }
  if (host.isExact && (byPlacement.value ?? 0) > fits.value) return overPromise(host)
  return { fits, discrepancy: null, reasons: fits.value > 0 ? [] : mainReason(host) }
}

const NONE = { fits: 0, atOnce: 0 }

const judgeHost = (host: HostFit, word: PlacementWord): JudgedHost => {
  const isOffered = offerOf(word, host)
  const verdict =
    isOffered === null ? judgeRead(host) : isOffered ? judgeOffered(host) : judgeNotOffered(host, word)
  const { rootUuid: _, blockers: __, isBeyondPlacement: ___, ...rest } = host
  const { fits } = verdict
  return {
    ...rest,
    ...verdict,
    state: fits.value === null ? 'unknown' : fits.value > 0 ? 'fits' : 'blocked',
    atOnce: fits.value === 0 || host.fits.value !== fits.value ? fits : host.atOnce,
    surely: isOffered === false || verdict.discrepancy === 'unexplained' ? NONE : host.surely,
    isOffered,
  }
}

/** How far a host is from taking a server: the number of blockers, and whether its cards could serve it at all. */
export const distance = ({ fits, reasons }: Pick<JudgedHost, 'fits' | 'reasons'>): number => {
  if (fits.value === null) return 1
  if (fits.value > 0) return 0
  const isNever = reasons.some(({ kind }) => NEVER.has(kind))
  return 1 + reasons.length + (isNever ? 100 : 0)
}

const NEVER: ReadonlySet<FitReason['kind']> = new Set(['class', 'trait', 'size', 'provider', 'refused'])

type Counted = Pick<HostCounts, 'fits' | 'byPlacement' | 'atOnce' | 'surely'>

/** Over hosts; of those that are not known what surely fits. */
export const sumFits = (
  hosts: readonly Counted[],
): { fits: number; byPlacement: number; atOnce: number } => ({
  fits: hosts.reduce((total, { fits, surely }) => total + (fits.value ?? surely.fits), 0),
  byPlacement: hosts.reduce((total, { byPlacement }) => total + (byPlacement.value ?? 0), 0),
  atOnce: hosts.reduce((total, { atOnce, surely }) => total + (atOnce.value ?? surely.atOnce), 0),
})

/** Hosts that one question was asked of, and Placement's answer to it. */
export type FitPart = { hosts: readonly HostFit[]; word: PlacementWord }

/**
 * Compares Placement's own answer with the last reading. Placement's no is final and its yes is not; a host with an
 * unexplained difference reports it. Several parts as one, if not all hosts have the same question. A step per host.
 */
export function* judgeInSteps(parts: readonly FitPart[]): Generator<void, JudgedFit> {
  const judged: JudgedHost[] = []
  for (const { hosts: read, word } of parts)
    for (const host of read) {
      judged.push(judgeHost(host, word))
      yield
    }
  const names = naturalRanks(judged.map(({ host }) => host))
  yield
  const hosts = judged
    .map((host, index) => ({
      host,
      distance: distance(host),
      fits: host.fits.value ?? 0,
      name: names[index] ?? 0,
    }))
    .toSorted((a, b) => a.distance - b.distance || b.fits - a.fits || a.name - b.name)
    .map(({ host }) => host)
  yield
  return {
    ...sumFits(hosts),
    fittingHosts: hosts.filter(({ surely }) => surely.fits > 0).length,
    unknownHosts: hosts.filter(({ state }) => state === 'unknown').length,
    isExact: hosts.every(({ isExact }) => isExact),
    hosts,
  }
}
