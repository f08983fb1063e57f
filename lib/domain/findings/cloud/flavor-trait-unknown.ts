import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject, placementView } from './flavor-view'

const CODE = 'flavor-trait-unknown'

/** The extra specs of a flavor that require a trait, in any request group. */
const keysOf = ({ extraSpecs }: Flavor, trait: string): string[] =>
  Object.entries(extraSpecs)
    .filter(([key, value]) => value === 'required' && key.startsWith('trait') && key.endsWith(`:${trait}`))
    .map(([key]) => key)

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
    nextStep:
      'Use "Tag with traits" for the GPUs that the flavor is meant for, or remove the trait from the flavor.',
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
                'Every server of this flavor ends in NoValidHost, or in error 400 if the trait does not exist.',
              nextStep:
                'Use "Tag with traits" for the GPUs that the flavor is meant for, or remove the trait from the flavor.',
              command: sh`openstack flavor unset ${joinEncoded([...keysOf(view.flavor, trait).map((key) => shellOption(sh`--property`, key)), shellOperands([view.flavor.id])], ' ')}`,
              sourceToCorrect: 'nova',
              evidence: [
                flavorReports(fleet, view),
                cloudReports(fleet, 'providers', `no provider has ${trait}`),
              ],
            })
          }),
      )
  },
}
