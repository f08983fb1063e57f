import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { sh, shellOption } from '@/lib/util/encode/shell'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject, placementView } from './flavor-view'

const CODE = 'flavor-trait-unknown'

/** A flavor for GPUs requires a trait that no provider of the cloud has. */
export const flavorTraitUnknown: FleetDetector = {
  code: CODE,
  title: 'A flavor requires a trait that no provider has',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection: 'Flavors and Placement: a flavor requires a trait that no provider has.',
    consequence:
      'Every server of the flavor ends in NoValidHost, or in error 400 if the trait does not exist.',
    nextStep: 'Set the trait on the intended providers, or remove it from the flavor.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) => {
    const { rootTraits, childTraits, unread } = placementView(fleet)
    return gpuFlavors(fleet)
      .filter(({ classes }) => classes.length > 0)
      .flatMap((view) =>
        [...new Set(view.request.groups.flatMap(({ required }) => required))]
          .filter((trait) => !rootTraits.has(trait) && !childTraits.has(trait))
          .map((trait): Detected => {
            const subject = flavorSubject(view)
            if (unread !== null)
              return { code: CODE, scope: subject, because: `the traits of ${unread} have not been read` }
            return makeFinding({
              code: CODE,
              severity: 'error',
              subject,
              part: trait,
              sentence: `${view.flavor.name} requires ${trait}, which no provider has`,
              consequence:
                'Every server of this flavor ends in NoValidHost, or in 400 when the trait does not exist at all.',
              nextStep: 'Set the trait on the providers that are meant, or take it out of the flavor.',
              command: sh`openstack --os-placement-api-version 1.6 resource provider trait set ${shellOption(sh`--trait`, trait)} <provider>`,
              blame: 'nova',
              evidence: [
                flavorReports(fleet, view),
                cloudReports(fleet, 'providers', `no provider has ${trait}`),
              ],
            })
          }),
      )
  },
}
