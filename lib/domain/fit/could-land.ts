import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { aliasProblem } from './alias-meaning'
import { aliasSupply } from './alias-supply'
import { countAtOnce, countFits, type FitProblem } from './count-fits'
import type { FlavorRequest } from './flavor-request'
import { hostProblem, slotNeeds } from './host-problem'
import { roomOnRoot } from './reach'

const emptied = <Inventory extends { used: number }>(
  inventories: Readonly<Record<string, Inventory>> | null,
): Record<string, Inventory> | null =>
  inventories === null
    ? null
    : Object.fromEntries(Object.entries(inventories).map(([name, entry]) => [name, { ...entry, used: 0 }]))

type EmptyHost = {
  /** Without bounds of cards. */
  problem: FitProblem
  /** Slots that Placement serves; the others are devices by alias. */
  ofPlacement: FitProblem['slots']
  /** Devices by alias of which it is not known that they serve. */
  unknownDevices: readonly string[]
}

/** A host as a counting problem in which nobody uses anything; null: its inventory is not known. */
const emptyHost = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): EmptyHost | null => {
  const root = joined.root.value
  if (root === null || root.inventories === null) return null
  const empty = <Entry extends { provider: typeof root }>(entry: Entry): Entry => ({
    ...entry,
    provider: { ...entry.provider, inventories: emptied(entry.provider.inventories) },
  })
  const { problem } = hostProblem({
    joined: {
      ...joined,
      pgpus: joined.pgpus.map((entry) => ({ ...entry, providers: entry.providers.map(empty) })),
      strays: joined.strays.map(empty),
    },
    needs: slotNeeds(request),
    room: roomOnRoot(request, { ...root, inventories: emptied(root.inventories) }) ?? 0,
    isIsolated: request.groupPolicy === 'isolate',
  })
  const supply = aliasSupply(fleet, joined, { aliases: request.aliases, isEmptied: true })
  return {
    problem: {
      ...problem,
      slots: [...problem.slots, ...supply.slots],
      bins: [...problem.bins, ...supply.bins],
      cards: {},
    },
    ofPlacement: problem.slots,
    unknownDevices: supply.unknownCards,
  }
}

const isServed = ({ slots }: FitProblem): boolean => slots.every(({ eligible }) => eligible.size > 0)

/**
 * Whether a server of a request could run on a host that nobody else uses, by Placement and by devices for its aliases; null
 * when not known.
 */
export const couldLand = (fleet: Fleet, joined: JoinedHost, request: FlavorRequest): boolean | null => {
  const untold = aliasProblem(fleet, request)
  const host = emptyHost(fleet, joined, request)
  if (host === null) return null
  if (untold !== null) return untold.state === 'missing' ? false : null
  const { problem, unknownDevices } = host
  if (!isServed(problem)) return false
  const whole = { ...problem, room: Math.min(1, problem.room) }
  const shut = Object.fromEntries(unknownDevices.map((card) => [card, 0]))
  if (countFits({ ...whole, cards: shut }).count > 0) return true
  return unknownDevices.length > 0 && countFits(whole).count > 0 ? null : false
}

/**
 * Servers of a request that a host would take if nobody else used it: one after the other, and of one request for several
 * (bug 1874664). By the drivers' word where it is known, else by Placement's. Null: the host's inventory, or what an alias
 * stands for, is not known.
 */
export const countWhenEmpty = (
  fleet: Fleet,
  joined: JoinedHost,
  request: FlavorRequest,
): { fits: number; atOnce: number } | null => {
  const host = emptyHost(fleet, joined, request)
  if (host === null || aliasProblem(fleet, request) !== null) return null
  const capacities = joined.pgpus.flatMap(({ pgpu }) =>
    pgpu.numbers.capacity.value === null ? [] : [[pgpu.address, pgpu.numbers.capacity.value] as const],
  )
  const whole = { ...host.problem, cards: { none: 0, ...Object.fromEntries(capacities) } }
  const fits = countFits(whole).count
  return { fits, atOnce: Math.min(fits, countAtOnce({ ...whole, slots: host.ofPlacement }).count) }
}
