import type { FitBlocker } from './fit-blocker'

export type FitReason = {
  kind: FitBlocker['kind'] | 'together' | 'device' | 'refused' | 'unexplained' | 'unknown'
  because: string
}

/** What blocks a whole host and each of its pGPUs. */
export type Obstacles = {
  blockers: readonly FitBlocker[]
  pgpus: readonly { blockers: readonly FitBlocker[] }[]
}

/** Of the blockers of single pGPUs, the one nearest to a fit first. */
const NEAREST: readonly FitBlocker['kind'][] = ['hardware', 'full', 'size', 'trait', 'class', 'provider']

/** Blockers that waiting does not resolve: the card, its providers or its traits differ from the request. */
const LASTING = new Set<FitBlocker['kind']>(['size', 'trait', 'class', 'provider'])

const TOGETHER: FitReason = {
  kind: 'together',
  because: 'each part of the request fits somewhere, but not all of them together on this host',
}
export const NO_DEVICE: FitReason = {
  kind: 'device',
  because: 'its providers stand for devices that the host does not have',
}

/**
 * Why a host takes no server of a request, the main thing first: cards that could never serve it, else what the whole host
 * lacks, else what its nearest pGPU lacks.
 */
export const mainReason = ({ blockers, pgpus }: Obstacles): FitReason[] => {
  const ofCards = pgpus.flatMap((pgpu) => pgpu.blockers)
  const [nearest] = ofCards.toSorted((a, b) => NEAREST.indexOf(a.kind) - NEAREST.indexOf(b.kind))
  const isBarred = pgpus.length > 0 && pgpus.every((pgpu) => pgpu.blockers.length > 0)
  if (isBarred && nearest !== undefined)
    return LASTING.has(nearest.kind) ? [nearest, ...blockers] : [...blockers, nearest]
  if (blockers.length > 0) return [...blockers]
  return [pgpus.length === 0 ? NO_DEVICE : TOGETHER]
}
