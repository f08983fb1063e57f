import { advertisedOf } from '@/lib/domain/cloud/advertised'
import { closedBecause } from '@/lib/domain/cloud/closed-because'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { isWaitingForCleaning } from '@/lib/domain/cloud/reserved'
import type { Flavor, ResourceProvider } from '@/lib/domain/cloud/types'
import { NO_FLAVOR, NO_HEADROOM, NO_VF_TYPE, WAITING_FOR_CLEANING } from '@/lib/domain/fleet/stranded-reasons'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { aliasProblem } from './alias-meaning'
import { countForAliases, freeForAliases } from './alias-supply'
import { reachingRequests, requestsByAliases } from './reaching-requests'
import { headroomOnRoot } from './served-by'

/** Free vGPUs that no flavor can use; `because` has the reason, null if there are none or it is unknown. */
export type Stranded = Known & { because: string | null }

const stranded = (count: number, because: string): Stranded => ({
  ...known(count),
  because: count === 0 ? null : because,
})

const unknownStranded = (reason: string): Stranded => ({ ...unknown(reason), because: null })

/**
 * The maximum of vGPUs that servers of one flavor could use of a pGPU now, by CPU, memory and disk alone; null: no flavor
 * requests them.
 */
const maxByHeadroom = (
  flavors: readonly Flavor[],
  { providers }: JoinedPgpu,
  root: ResourceProvider | null,
): number | null => {
  const asking = root === null ? [] : reachingRequests(flavors, providers, root)
  if (root === null || asking.length === 0) return null
  return Math.max(
    ...asking.map(({ request, amount }) => {
      const headroom = headroomOnRoot(request, root)
      return headroom === null ? Number.POSITIVE_INFINITY : headroom * amount
    }),
  )
}

const NO_FLAVORS: readonly Flavor[] = []

const NOT_LISTED = 'no [pci] device_spec matches their VFs'

/**
 * Nova assigns a VF as it is and sets no type, so a vGPU that the driver could still create on one waits for an admin.
 */
const outOfAliases = (
  { pgpu }: JoinedPgpu,
  { free, landings }: { free: number; landings: readonly { free: number; headroom: number }[] },
): Stranded => {
  const reached = Math.max(...landings.map((offer) => Math.min(offer.free, offer.headroom)))
  const handedOut = Math.max(...landings.map((offer) => offer.free))
  if (reached < handedOut) return stranded(Math.max(0, free - reached), NO_HEADROOM)
  const because = (pgpu.numbers.creatable.value ?? 0) > 0 ? NO_VF_TYPE : NOT_LISTED
  return stranded(Math.max(0, free - reached), because)
}

/** Of devices that flavors request by an alias: whole cards in passthrough, and VFs of vendor VFIO. */
const strandedDevices = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu, free: number): Stranded => {
  const root = joined.root.value
  if (root === null) return unknownStranded(joined.root.because ?? 'Placement has no provider of the host')
  const { address } = entry.pgpu
  const groups = requestsByAliases(fleet.input.facts.flavors.value ?? NO_FLAVORS)
  const landings = groups
    .filter(({ aliases }) => aliasProblem(fleet, { aliases }) === null)
    .filter(({ aliases }) => countForAliases(fleet, joined, { address, aliases }) > 0)
    .map(({ aliases, requests }) => ({
      free: freeForAliases(fleet, joined, { address, aliases }),
      headroom: Math.max(
        ...requests.map((request) => headroomOnRoot(request, root) ?? Number.POSITIVE_INFINITY),
      ),
    }))
  if (landings.length > 0) return outOfAliases(entry, { free, landings })
  const untellable = groups
    .map(({ aliases }) => aliasProblem(fleet, { aliases }))
    .find((problem) => problem?.state === 'unknown')
  return untellable == null ? stranded(free, NO_FLAVOR) : unknownStranded(untellable.because)
}

/**
 * How many of a pGPU's free vGPUs no flavor can use now, and why: the service is disabled, Placement does not offer them,
 * no flavor requests them, or CPU or memory is missing. Each pGPU is checked separately. Unit: vGPUs.
 */
export const strandedOf = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): Stranded => {
  const free = freeByHardware(entry)
  if (free.value === null) return unknownStranded(free.reason)
  if (free.value === 0) return stranded(0, '')
  const gap =
    cloudGap(fleet.input, 'services') ??
    cloudGap(fleet.input, 'providers') ??
    cloudGap(fleet.input, 'flavors')
  if (gap !== null) return unknownStranded(gap)
  const closed = closedBecause(joined)
  if (closed !== null) return stranded(free.value, closed)
  const isWhole = entry.pgpu.framework === 'passthrough'
  if (entry.pgpu.framework === 'vendor-vfio' || (isWhole && entry.providers.length === 0))
    return strandedDevices(fleet, joined, entry, free.value)
  const offered = advertisedOf(fleet, joined, entry).free
  if (offered.value === null) return unknownStranded(offered.reason)
  if (offered.value === 0)
    return stranded(
      free.value,
      entry.providers.some(isWaitingForCleaning) ? WAITING_FOR_CLEANING : 'Placement offers none of them',
    )
  // PCI in Placement: only an alias gets the card, never its class (nova/pci/request.py get_pci_requests_from_flavor).
  if (isWhole) return strandedDevices(fleet, joined, entry, free.value)
  const max = maxByHeadroom(fleet.input.facts.flavors.value ?? NO_FLAVORS, entry, joined.root.value)
  if (max === null) return stranded(free.value, NO_FLAVOR)
  if (max < Math.min(free.value, offered.value)) return stranded(free.value - max, NO_HEADROOM)
  return stranded(Math.max(0, free.value - offered.value), 'Placement offers fewer')
}
