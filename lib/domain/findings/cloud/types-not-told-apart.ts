import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { listText } from '@/lib/domain/wording'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'types-not-told-apart'

/** The group of a request that has the GPU, where its traits have to be; '' is the group without a number. */
const suffixOf = (fleet: Fleet, request: FlavorRequest): string =>
  request.groups.find((group) => gpuAmountsIn(fleet, { ...request, groups: [group] }).size > 0)?.suffix ?? ''

/** A flavor whose request is met by vGPUs of several types: no trait and no class tells them apart. */
export const typesNotToldApart: FleetDetector = {
  code: CODE,
  title: 'A flavor reaches vGPUs of several types',
  reference: {
    severities: ['warning'],
    sources: ['nova'],
    detection: 'Flavors and Placement: vGPUs of several types match the request of a flavor.',
    consequence: 'A server of the flavor gets any of these types.',
    nextStep: 'Give each type its own trait or resource class, and request it in the flavor.',
  },
  needs: ['providers', 'flavors'],
  detect: (fleet) =>
    (fleet.input.facts.flavors.value ?? [])
      .filter((flavor) => !flavor.isDisabled)
      .flatMap((flavor) => {
        const request = readFlavorRequest(flavor)
        const reached = reachedTypes(fleet, request)
        if (reached.length < 2) return []
        const names = listText(reached.map(({ name }) => name).toSorted())
        return [
          makeFinding({
            code: CODE,
            severity: 'warning',
            subject: { kind: 'flavor', id: flavor.id, name: flavor.name },
            sentence: `${flavor.name} reaches ${names}`,
            consequence: 'A server of this flavor gets whichever type the scheduler comes to first.',
            nextStep: `Give each type its own trait or resource class, and request it in the flavor, as trait${suffixOf(fleet, request)}:CUSTOM_… = required.`,
            command: null,
            blame: 'nova',
            evidence: [
              cloudReports(
                fleet,
                'flavors',
                listText(
                  Object.entries(flavor.extraSpecs).map(([key, value]) => `${key}=${value}`),
                  8,
                ),
              ),
              ...reached.map(({ name, host }) => cloudReports(fleet, 'providers', `${name} on ${host}`)),
            ],
          }),
        ]
      }),
}
