import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { aliasProblem } from './alias-meaning'
import { aliasSupply } from './alias-supply'
import { countDevices, emptyDevices, emptyProvider, unusedDevices } from './count-devices'
import { countAtOnce, countFits, type FitProblem } from './count-fits'
import type { FlavorRequest } from './flavor-request'
import { hostProblem, slotNeeds } from './host-problem'
import { headroomOnRoot } from './served-by'

const emptyCapacity = (request: FlavorRequest, root: ResourceProvider): number =>
  headroomOnRoot(request, emptyProvider(root)) ?? 0

type WhenEmpty = { fits: number; atOnce: number }

type EmptyHost = {
  problem: FitProblem
  /** Slots that Placement serves; the others are devices by alias. */
  ofPlacement: FitProblem['slots']
  /** Devices by alias of which it is not known that they serve. */
  unknownDevices: readonly string[]
}

/** A host as a counting problem without any use; null: its inventory is unknown. */
const emptyHost = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): EmptyHost | null => {
  const root = joined.root.value
  if (root === null || root.inventories === null) return null
  const { problem } = hostProblem({
    joined: unusedDevices(joined),
    needs: slotNeeds(request),
    headroom: emptyCapacity(request, root),
    isIsolated: request.groupPolicy === 'isolate',
  })
  const supply = aliasSupply(fleet, joined, { aliases: request.aliases, isEmptied: true })
  return {
    problem: {
      ...problem,
      slots: [...problem.slots, ...supply.slots],
      bins: [...problem.bins, ...supply.bins],
    },
    ofPlacement: problem.slots,
    unknownDevices: supply.unknownCards,
  }
}

const isServed = ({ slots }: FitProblem): boolean => slots.every(({ eligible }) => eligible.size > 0)

const couldLandByAlias = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): boolean | null => {
  const host = emptyHost(fleet, joined, request)
  if (host === null) return null
  const { problem, unknownDevices } = host
  if (!isServed(problem)) return false
  const whole = { ...problem, cards: {}, headroom: Math.min(1, problem.headroom) }
  const shut = Object.fromEntries(unknownDevices.map((card) => [card, 0]))
  if (countFits({ ...whole, cards: shut }).count > 0) return true
  return unknownDevices.length > 0 && countFits(whole).count > 0 ? null : false
}

/**
 * Whether a server of a request could run on an empty host, by Placement and by devices for its aliases; null
 * when not known.
 */
export const couldLand = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): boolean | null => {
  const root = joined.root.value
  if (root === null || root.inventories === null) return null
  const problem = aliasProblem(fleet, request)
  if (problem !== null) return problem.state === 'missing' ? false : null
  if (request.aliases.length > 0) return couldLandByAlias(fleet, joined, request)
  const devices = countDevices(fleet, emptyDevices(joined), request)
  return devices.isServed && emptyCapacity(request, root) >= 1 && devices.byPlacement.count > 0
}

const countByAlias = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): WhenEmpty | null => {
  const host = emptyHost(fleet, joined, request)
  if (host === null) return null
  const fits = countFits(host.problem).count
  return { fits, atOnce: Math.min(fits, countAtOnce({ ...host.problem, slots: host.ofPlacement }).count) }
}

/**
 * Servers of a request that an empty host would take: one after the other, and in one multi-create (bug 1874664). By the
 * drivers' values if they are known, else by Placement's. Null: the host's inventory or the meaning of an alias is
 * unknown.
 */
export const countWhenEmpty = (
  fleet: Fleet,
  joined: JoinedHost,
  request: FlavorRequest,
): WhenEmpty | null => {
  const root = joined.root.value
  if (root === null || root.inventories === null || aliasProblem(fleet, request) !== null) return null
  if (request.aliases.length > 0) return countByAlias(fleet, joined, request)
  const { surely, atOnce } = countDevices(fleet, unusedDevices(joined), request)
  const fits = Math.min(surely.count, emptyCapacity(request, root))
  return { fits, atOnce: Math.min(fits, atOnce.count) }
}
