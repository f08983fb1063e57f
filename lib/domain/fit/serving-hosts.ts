import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { oncePer } from '@/lib/util/once-per'
import { countDevices, emptyDevices, requestText } from './count-devices'
import type { FlavorRequest } from './flavor-request'

type Counted = Pick<FlavorRequest, 'groups' | 'groupPolicy'>

const mayServe = (fleet: Fleet, joined: JoinedHost, request: Counted, isEmptied: boolean): boolean => {
  if (joined.root.value === null || joined.root.value.inventories === null) return true
  const devices = isEmptied ? emptyDevices(joined) : joined
  const { count, isExact } = countDevices(fleet, devices, request).byPlacement
  return count > 0 || !isExact
}

const found = oncePer((_: Fleet) => new Map<string, readonly JoinedHost[]>())

/**
 * Hosts that a request without aliases concerns, in the order of the fleet: those whose devices may serve it, and those whose
 * inventory is not known. Most flavors concern few hosts. `isEmptied`: as if nothing were in use.
 */
export const servingHosts = (
  fleet: Fleet,
  request: Counted,
  { isEmptied }: { isEmptied: boolean },
): readonly JoinedHost[] => {
  const text = `${isEmptied} ${requestText(request)}`
  const known = found(fleet).get(text)
  if (known !== undefined) return known
  const hosts = fleet.hosts.filter((joined) => mayServe(fleet, joined, request, isEmptied))
  found(fleet).set(text, hosts)
  return hosts
}
