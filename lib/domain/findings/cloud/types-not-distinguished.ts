import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { type ReachedType, typesByOwnTraits } from '@/lib/domain/fit/reached-types'
import { listText } from '@/lib/domain/wording'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'types-not-told-apart'

/** The groups of a request that vGPUs of several types match, and these types. Each group gets its own vGPU. */
const mixedGroups = (
  fleet: Fleet,
  request: FlavorRequest,
): { suffix: string; reached: readonly ReachedType[] }[] =>
  request.groups
    .map((group) => ({
      suffix: group.suffix,
      reached: typesByOwnTraits(fleet, { ...request, groups: [group] }),
    }))
    .filter(({ reached }) => reached.length > 1)

/** A flavor whose request is met by vGPUs of several types: no trait and no class distinguishes them. */
export const typesNotDistinguished: FleetDetector = {
  code: CODE,
  title: 'A flavor matches vGPUs of several types',
  reference: {
    severities: ['warning'],
    sources: ['nova'],
    detection: 'Flavors and Placement: vGPUs of several types match one group of the request of a flavor.',
    consequence: 'A server of the flavor gets any of these types.',
    nextStep: 'Give each type its own trait or resource class, and request it in the flavor.',
  },
  needs: ['providers', 'flavors'],
  detect: (fleet) =>
    (fleet.input.facts.flavors.value ?? [])
      .filter((flavor) => !flavor.isDisabled)
      .flatMap((flavor) => {
        const mixed = mixedGroups(fleet, readFlavorRequest(flavor))
        const byName = new Map(mixed.flatMap(({ reached }) => reached).map((type) => [type.name, type]))
        if (byName.size === 0) return []
        const traits = listText(mixed.map(({ suffix }) => `trait${suffix}:CUSTOM_… = required`))
        return [
          makeFinding({
            code: CODE,
            severity: 'warning',
            subject: { kind: 'flavor', id: flavor.id, name: flavor.name },
            sentence: `${flavor.name} matches vGPUs of ${listText([...byName.keys()].toSorted())}`,
            consequence: 'A server of this flavor gets any of these types.',
            nextStep: `Give each type its own trait or resource class, and request it in the flavor, for example ${traits}.`,
            command: null,
            sourceToCorrect: 'nova',
            evidence: [
              cloudReports(
                fleet,
                'flavors',
                listText(
                  Object.entries(flavor.extraSpecs).map(([key, value]) => `${key}=${value}`),
                  8,
                ),
              ),
              ...[...byName.values()].map(({ name, host }) =>
                cloudReports(fleet, 'providers', `${name} on ${host}`),
              ),
            ],
          }),
        ]
      }),
}
