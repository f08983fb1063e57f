import type { ResourceGroup } from '@/lib/domain/fit/flavor-request'
import { type FlavorView, gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { sh, shellOperands, shellWord } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject, type PlacementView, placementView } from './flavor-view'

type Misplaced = { trait: string; suffix: string; wanted: string; because: string }

const words = (suffix: string): string => (suffix === '' ? 'the group without a number' : `group ${suffix}`)

/** Where a trait must stand: with the resource of the provider that carries it. */
const misplacedIn = (
  { request, classes }: FlavorView,
  { rootTraits, childTraits }: PlacementView,
): Misplaced[] => {
  const asksForGpu = ({ resources }: ResourceGroup): boolean =>
    classes.some((name) => resources[name] !== undefined)
  const gpuGroup = request.groups.find(asksForGpu)
  if (gpuGroup === undefined) return []
  return request.groups.flatMap((group) =>
    group.required.flatMap((trait): Misplaced[] => {
      const onChildOnly = childTraits.has(trait) && !rootTraits.has(trait)
      const onRootOnly = rootTraits.has(trait) && !childTraits.has(trait)
      const location = { trait, suffix: group.suffix }
      if (group.suffix !== '' && Object.keys(group.resources).length === 0)
        return [
          {
            ...location,
            wanted: onRootOnly ? '' : gpuGroup.suffix,
            because: `${words(group.suffix)} requests no resource`,
          },
        ]
      if (onChildOnly && !asksForGpu(group))
        return [
          {
            ...location,
            wanted: gpuGroup.suffix,
            because: `the GPU is requested in ${words(gpuGroup.suffix)}`,
          },
        ]
      if (onRootOnly && group.suffix !== '' && asksForGpu(group))
        return [{ ...location, wanted: '', because: 'only compute nodes have it, not their GPUs' }]
      return []
    }),
  )
}

/** A trait in another group than the resource whose provider carries it. */
export const flavorTraitSuffix: FleetDetector = {
  code: 'flavor-trait-suffix',
  title: 'A trait of a flavor is in another group than its resource',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection:
      'Flavors and Placement: a required trait is in another group than the resource of the provider that has the trait.',
    consequence: 'Every server of the flavor ends in NoValidHost.',
    nextStep: 'Move the trait into the group of its resource.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) => {
    const placement = placementView(fleet)
    return gpuFlavors(fleet).flatMap((view) =>
      misplacedIn(view, placement).map(({ trait, suffix, wanted, because }) =>
        makeFinding({
          code: 'flavor-trait-suffix',
          severity: 'error',
          subject: flavorSubject(view),
          part: `${suffix}:${trait}`,
          sentence: `trait${suffix}:${trait} of ${view.flavor.name} is in the wrong group: ${because}`,
          consequence:
            'No provider can meet the request, and every server of this flavor ends in NoValidHost.',
          nextStep: `Write it as trait${wanted}:${trait}.`,
          command: sh`openstack flavor unset --property ${shellWord(`trait${suffix}:${trait}`)} ${shellOperands([view.flavor.id])} && openstack flavor set --property ${shellWord(`trait${wanted}:${trait}=required`)} ${shellOperands([view.flavor.id])}`,
          sourceToCorrect: 'nova',
          evidence: [
            flavorReports(fleet, view),
            cloudReports(
              fleet,
              'providers',
              placement.childTraits.has(trait) ? `GPUs have ${trait}` : `compute nodes have ${trait}`,
            ),
          ],
        }),
      ),
    )
  },
}
