import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { couldLand } from './could-land'
import { countHost, flavorQuestion, hasGpus, unseenFits } from './explain-fit'
import type { FlavorLike } from './flavor-request'
import { hostBlockers } from './host-blockers'
import { sumFits } from './judge-fit'
import { servingHosts } from './serving-hosts'

/** A flavor in one row. Of hosts that are not known the sums have what surely fits. */
export type FitSummary = {
  fits: number
  byPlacement: number
  atOnce: number
  fittingHosts: number
  unknownHosts: number
  isExact: boolean
  /** Hosts that could take one if they were empty, by Placement alone; null: unknown for some host. */
  possibleHosts: number | null
}

/** What `explainInSteps` counts of a flavor, without its reasons: for lists of all flavors over all hosts. */
export const summarizeFit = (fleet: Fleet, flavor: FlavorLike): FitSummary => {
  const question = flavorQuestion(flavor)
  const { request } = question
  const known = new Map(
    servingHosts(fleet, request, { isEmptied: false })
      .filter(hasGpus)
      .map((joined) => [
        joined,
        countHost(fleet, joined, question, () => hostBlockers(fleet, joined, question).length === 0),
      ]),
  )
  const hosts = [...known.values(), ...unseenFits(fleet, question)]
  const possible = servingHosts(fleet, request, { isEmptied: true })
    .filter(hasGpus)
    .map((joined) => ((known.get(joined)?.surely.fits ?? 0) > 0 ? true : couldLand(fleet, joined, request)))
  return {
    ...sumFits(hosts),
    fittingHosts: hosts.filter(({ surely }) => surely.fits > 0).length,
    unknownHosts: hosts.filter((host) => host.fits.value === null).length,
    isExact: hosts.every(({ isExact }) => isExact),
    possibleHosts: possible.includes(null) ? null : possible.filter((can) => can === true).length,
  }
}
