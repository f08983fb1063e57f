import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { reachOf } from '@/lib/domain/fit/reach'
import { listText } from '@/lib/domain/wording'
import { cloudSaid, type FleetDetector, makeFinding } from './detector'

const CODE = 'types-not-told-apart'

type Place = { joined: JoinedHost; entry: JoinedPgpu; types: Map<string, string> }

/** The type of each function of a pGPU, worded as its driver does, where nova.conf gives a supported one. */
const placesOf = (fleet: Fleet): Place[] =>
  fleet.hosts
    .filter(({ host }) => !host.isSilent)
    .flatMap((joined) =>
      joined.pgpus.map((entry) => ({
        joined,
        entry,
        types: new Map(
          (expectedParents(joined, entry.pgpu.address) ?? [])
            .filter((parent) => parent.isSupported)
            .map((parent) => [
              parent.address,
              entry.pgpu.supportedTypes?.find(({ typeId }) => typeId === parent.typeId)?.shortName ??
                parent.typeId,
            ]),
        ),
      })),
    )

/** Types that servers of a flavor can get, each with one host that gives it. */
const typesReachedBy = (flavor: Flavor, places: readonly Place[]): Map<string, string> => {
  const request = readFlavorRequest(flavor)
  const reached = new Map<string, string>()
  for (const { joined, entry, types } of places)
    for (const provider of entry.providers) {
      const type = types.get(provider.address)
      if (type === undefined || reached.has(type)) continue
      if (reachOf(request, provider, joined.root.value) !== null) reached.set(type, joined.host.name)
    }
  return reached
}

/** A flavor whose request is met by vGPUs of several types: no trait and no class tells them apart. */
export const typesNotToldApart: FleetDetector = {
  code: CODE,
  needs: ['providers', 'flavors'],
  detect: (fleet) => {
    const places = placesOf(fleet)
    return (fleet.input.facts.flavors.value ?? [])
      .filter((flavor) => !flavor.isDisabled)
      .flatMap((flavor) => {
        const reached = typesReachedBy(flavor, places)
        if (reached.size < 2) return []
        const names = listText([...reached.keys()].toSorted())
        return [
          makeFinding({
            code: CODE,
            severity: 'warning',
            subject: { kind: 'flavor', id: flavor.id, name: flavor.name },
            sentence: `${flavor.name} reaches ${names}`,
            consequence: 'A server of this flavor gets whichever type the scheduler comes to first.',
            nextStep: 'Give each type a trait or a resource class of its own, and ask for it in the flavor.',
            command: `openstack flavor set ${flavor.id} --property trait:CUSTOM_<TYPE>=required`,
            blame: 'nova',
            evidence: [
              cloudSaid(
                fleet,
                'flavors',
                listText(
                  Object.entries(flavor.extraSpecs).map(([key, value]) => `${key}=${value}`),
                  8,
                ),
              ),
              ...[...reached].map(([type, host]) => cloudSaid(fleet, 'providers', `${type} on ${host}`)),
            ],
          }),
        ]
      })
  },
}
