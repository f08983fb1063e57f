import 'server-only'
import { type FlavorOffer, flavorOffer, offerOfPart, type PartOffer } from '@/lib/domain/catalog/flavor-offer'
import { type FleetPart, fleetParts } from '@/lib/domain/catalog/fleet-parts'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { deviceGroup, unusedDevices } from '@/lib/domain/fit/count-devices'

type Offers = ReadonlyMap<string, FlavorOffer>
/** By flavor; of projects for which aggregates keep hosts, and of all the others. */
export type BoardOffers = { byProject: ReadonlyMap<string, Offers>; ofOthers: Offers }

/** Every host is counted once, however many projects share it. */
export function* offersInSteps(fleet: Fleet, flavors: readonly Flavor[]): Generator<void, BoardOffers> {
  for (const joined of fleet.hosts) {
    deviceGroup(fleet, unusedDevices(joined))
    yield
  }
  const parts = fleetParts(fleet)
  const named = new Set(parts.flatMap(({ projectIds }) => [...(projectIds ?? [])]))
  const byProject = new Map([...named].map((id) => [id, new Map<string, FlavorOffer>()]))
  const ofOthers = new Map<string, FlavorOffer>()
  for (const flavor of flavors) {
    const counted: (FleetPart & { offer: PartOffer })[] = []
    for (const part of parts) {
      counted.push({ ...part, offer: offerOfPart(fleet, part, flavor) })
      yield
    }
    const put = (offers: Map<string, FlavorOffer>, projectId: string | null): void => {
      const isOwn = ({ projectIds }: FleetPart): boolean =>
        projectIds === null || (projectId !== null && projectIds.has(projectId))
      const own = counted.filter(isOwn).map(({ offer }) => offer)
      const others = counted.filter((part) => !isOwn(part)).map(({ offer }) => offer)
      const offer = flavorOffer(fleet, flavor, { own, others })
      if (offer !== null) offers.set(flavor.id, offer)
    }
    put(ofOthers, null)
    for (const [projectId, offers] of byProject) put(offers, projectId)
  }
  return { byProject, ofOthers }
}
