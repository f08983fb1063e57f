import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'

/** Two numbered groups and no group_policy: Placement answers 400 and the server gets no host. */
export const flavorGroupPolicyMissing: FleetDetector = {
  code: 'flavor-group-policy-missing',
  title: 'A flavor with several groups has no group_policy',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection: 'Flavors: a flavor has two or more numbered groups with resources and no valid group_policy.',
    consequence: 'Placement refuses the request, and every server of the flavor ends in NoValidHost.',
    nextStep: 'Set group_policy to none, or to isolate if each group needs its own provider.',
  },
  needs: ['flavors'],
  detect: (fleet) =>
    gpuFlavors(fleet).flatMap((view) => {
      const numbered = view.request.groups.filter(
        ({ suffix, resources }) => suffix !== '' && Object.keys(resources).length > 0,
      )
      if (numbered.length < 2 || view.request.groupPolicy !== null) return []
      const written = view.flavor.extraSpecs.group_policy
      return [
        makeFinding({
          code: 'flavor-group-policy-missing',
          severity: 'error',
          subject: flavorSubject(view),
          sentence:
            written === undefined
              ? `${view.flavor.name} has ${numbered.length} groups and no group_policy`
              : `${view.flavor.name} has the group_policy ${written}, which is neither none nor isolate`,
          consequence: 'Placement refuses the request, and every server of this flavor ends in NoValidHost.',
          nextStep: 'Set group_policy to none, or to isolate if each group needs its own provider.',
          command: sh`openstack flavor set --property group_policy=none ${shellOperands([view.flavor.id])}`,
          sourceToCorrect: 'nova',
          evidence: [flavorReports(fleet, view)],
        }),
      ]
    }),
}
