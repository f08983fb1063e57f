import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { countFits } from './count-fits'
import type { FlavorRequest } from './flavor-request'
import { hostProblem, slotNeeds, unfitBecause } from './host-problem'
import { roomOnRoot } from './reach'

const emptied = <Inventory extends { used: number }>(
  inventories: Readonly<Record<string, Inventory>> | null,
): Record<string, Inventory> | null =>
  inventories === null
    ? null
    : Object.fromEntries(Object.entries(inventories).map(([name, entry]) => [name, { ...entry, used: 0 }]))

/** Whether a server of a request could run on a host that nobody else uses, by Placement alone; null when not known. */
export const couldLand = (joined: JoinedHost, request: FlavorRequest): boolean | null => {
  const root = joined.root.value
  if (root === null || root.inventories === null) return null
  const needs = slotNeeds(request)
  const providers = [...joined.pgpus.flatMap((entry) => entry.providers), ...joined.strays]
  const isServed = needs.every((need) => providers.some((entry) => unfitBecause(need, entry, root) === null))
  if (!isServed) return false
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
    needs,
    room: roomOnRoot(request, { ...root, inventories: emptied(root.inventories) }) ?? 0,
    isIsolated: request.groupPolicy === 'isolate',
  })
  return countFits({ ...problem, cards: {}, room: Math.min(1, problem.room) }).count > 0
}
