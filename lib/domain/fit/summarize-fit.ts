import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { aliasProblem } from './alias-meaning'
import { couldLand } from './could-land'
import { countHost, explainFit, type FitQuestion, hasGpus, unseenFits } from './explain-fit'
import { hostBlockers } from './host-blockers'
import { judgeFit, sumFits } from './judge-fit'
import type { FitReason } from './main-reason'

/** A flavor in one row. Of hosts that are not known the sums have what surely fits. */
export type FitSummary = {
  fits: number
  byPlacement: number
  atOnce: number
  fittingHosts: number
  unknownHosts: number
  isExact: boolean
  /** Hosts that could take one if they were empty, by Placement alone; null: not all could be told. */
  possibleHosts: number | null
  /**
   * Where none fits: the host that is nearest to it, and what is in its way; null when some fit or there is no host. `host`
   * null: it lies with the flavor.
   */
  nearest: (FitReason & { host: string | null }) | null
}

const nearestMiss = (fleet: Fleet, question: FitQuestion): FitSummary['nearest'] => {
  const problem = aliasProblem(fleet, question.request)
  if (problem !== null)
    return {
      host: null,
      kind: problem.state === 'missing' ? 'alias' : 'unknown',
      because: problem.because,
    }
  const [first] = judgeFit(explainFit(fleet, question), { state: 'away' }).hosts
  const [reason] = first?.reasons ?? []
  return first === undefined || reason === undefined ? null : { host: first.host, ...reason }
}

/** What `explainFit` counts, without its reasons: for lists of all flavors over all hosts. */
export const summarizeFit = (fleet: Fleet, question: FitQuestion): FitSummary => {
  const asked = fleet.hosts.filter(hasGpus)
  const known = asked.map((joined) =>
    countHost(fleet, joined, question, () => hostBlockers(fleet, joined, question).length === 0),
  )
  const hosts = [...known, ...unseenFits(fleet, question)]
  const possible = asked.map((joined, place) =>
    (known[place]?.surely.fits ?? 0) > 0 ? true : couldLand(fleet, joined, question.request),
  )
  const sums = sumFits(hosts)
  return {
    ...sums,
    fittingHosts: hosts.filter(({ surely }) => surely.fits > 0).length,
    unknownHosts: hosts.filter((host) => host.fits.value === null).length,
    isExact: hosts.every(({ isExact }) => isExact),
    possibleHosts: possible.includes(null) ? null : possible.filter((can) => can === true).length,
    nearest: sums.fits > 0 ? null : nearestMiss(fleet, question),
  }
}
