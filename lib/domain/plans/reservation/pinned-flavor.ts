import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'

/** The extra specs with which a flavor requests PCPU instead of VCPU. */
export const PINNED = { key: 'hw:cpu_policy', value: 'dedicated' } as const

/** A flavor whose servers get dedicated CPUs. */
export const pinned = (flavor: Flavor): Flavor => ({
  ...flavor,
  extraSpecs: { ...flavor.extraSpecs, [PINNED.key]: PINNED.value },
})

/** Usable flavors of the cloud as they would be once the chosen ones are pinned. */
export const flavorsAfter = ({ input }: Fleet, chosen: readonly Flavor[]): Flavor[] =>
  (input.facts.flavors.value ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .map((flavor) => (chosen.some(({ id }) => id === flavor.id) ? pinned(flavor) : flavor))

/** Flavors that request dedicated CPUs once the chosen ones are pinned, with or without a GPU. */
export const dedicatedFlavors = (
  fleet: Fleet,
  { chosen, hasGpu }: { chosen: readonly Flavor[]; hasGpu: boolean },
): Flavor[] =>
  flavorsAfter(fleet, chosen).filter(
    (flavor) => isGpuFlavor(fleet, flavor) === hasGpu && plainNeeds(flavor).PCPU > 0,
  )
