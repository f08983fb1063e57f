import type { Flavor } from '@/lib/domain/cloud/types'
import type { NovaClient } from '../nova/types'
import { OpenStackError } from '../openstack-error'
import type { Round } from './round'

/** The projects of each private flavor, by its id. */
export type FlavorMemory = {
  byFlavor: Map<string, { requestedInRound: number; projectIds: string[] }>
  rounds: number
}

export const createFlavorMemory = (flavors: readonly Flavor[] | null): FlavorMemory => ({
  byFlavor: new Map(
    (flavors ?? []).flatMap(({ id, projectIds }) =>
      projectIds === undefined || projectIds === null
        ? []
        : [[id, { requestedInRound: 0, projectIds: [...projectIds] }] as const],
    ),
  ),
  rounds: 0,
})

type ReadFlavorsInput = {
  nova: NovaClient
  memory: FlavorMemory
  round: Round
  /** Requests that an otherwise unchanged round may still cost. */
  budget: () => number
}

/** Deleted since the list was read, or not for this account to see: the flavors themselves stand all the same. */
const isNotVisible = (error: unknown): boolean =>
  error instanceof OpenStackError && (error.status === 404 || error.status === 403)

/**
 * All flavors, private ones with the projects that may use them: those of new flavors immediately, the others in turn, as
 * many as the round allows.
 */
export const readFlavors = async ({ nova, memory, round, budget }: ReadFlavorsInput): Promise<Flavor[]> => {
  const flavors = await nova.listFlavors()
  memory.rounds += 1
  const closed = flavors.filter(({ isPublic }) => !isPublic)
  const ids = new Set(closed.map(({ id }) => id))
  for (const id of memory.byFlavor.keys()) if (!ids.has(id)) memory.byFlavor.delete(id)
  const fresh = closed.filter(({ id }) => !memory.byFlavor.has(id))
  const requestedAt = ({ id }: Flavor): number => memory.byFlavor.get(id)?.requestedInRound ?? 0
  const turn = closed.toSorted((a, b) => requestedAt(a) - requestedAt(b)).slice(0, Math.max(0, budget()))
  await round.each({
    items: fresh.length > 0 ? fresh : turn,
    requestsPerItem: 1,
    share: 0.3,
    work: async ({ id }) => {
      try {
        memory.byFlavor.set(id, {
          requestedInRound: memory.rounds,
          projectIds: await nova.listFlavorAccess(id),
        })
      } catch (error) {
        if (!isNotVisible(error)) throw error
      }
    },
  })
  return flavors.map((flavor) => {
    if (flavor.isPublic) return flavor
    return { ...flavor, projectIds: memory.byFlavor.get(flavor.id)?.projectIds ?? null }
  })
}
