import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { oncePer } from '@/lib/util/once-per'
import { countDevices, emptyDevices, requestText } from './count-devices'
import type { FlavorRequest } from './flavor-request'
import { slotNeeds } from './host-problem'

type Counted = Pick<FlavorRequest, 'groups' | 'groupPolicy'>

/** Resource classes and traits of a host's providers; null: not known. */
const namesOf = oncePer(({ root, pgpus, strays }: JoinedHost): ReadonlySet<string> | null => {
  if (root.value === null || root.value.inventories === null) return null
  const entries = [...pgpus.flatMap(({ providers }) => providers), ...strays]
  const providers = [root.value, ...entries.map(({ provider }) => provider)]
  return new Set(
    providers.flatMap(({ inventories, traits }) => [...Object.keys(inventories ?? {}), ...(traits ?? [])]),
  )
})

const neededNames = (request: Counted): string[] =>
  slotNeeds(request).flatMap(({ amounts, required }) => [...Object.keys(amounts), ...required])

const mayServe = (fleet: Fleet, joined: JoinedHost, request: Counted, isEmptied: boolean): boolean => {
  const devices = isEmptied ? emptyDevices(joined) : joined
  const { count, isExact } = countDevices(fleet, devices, request).byPlacement
  return count > 0 || !isExact
}

const found = oncePer((_: Fleet) => new Map<string, readonly JoinedHost[]>())

/**
 * Hosts that a request concerns, in the order of the fleet: those whose devices may serve it, and those whose inventory is not
 * known; with aliases all. Most flavors concern few hosts. `isEmptied`: as if nothing were in use.
 */
export const servingHosts = (
  fleet: Fleet,
  request: Counted & Pick<FlavorRequest, 'aliases'>,
  { isEmptied }: { isEmptied: boolean },
): readonly JoinedHost[] => {
  if (request.aliases.length > 0) return fleet.hosts
  const text = `${isEmptied} ${requestText(request)}`
  const known = found(fleet).get(text)
  if (known !== undefined) return known
  const needed = neededNames(request)
  const hosts = fleet.hosts.filter((joined) => {
    const names = namesOf(joined)
    if (names === null) return true
    // Counting costs far more than this, and most hosts lack something.
    return needed.every((name) => names.has(name)) && mayServe(fleet, joined, request, isEmptied)
  })
  found(fleet).set(text, hosts)
  return hosts
}
