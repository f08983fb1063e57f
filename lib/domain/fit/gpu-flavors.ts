import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { oncePer } from '@/lib/util/once-per'
import { type FlavorRequest, readFlavorRequest } from './flavor-request'
import { gpuAmountsIn } from './gpu-classes'

/** An enabled flavor that requests vGPUs, whole GPUs or custom resources, with Nova's interpretation of it. */
export type FlavorView = { flavor: Flavor; request: FlavorRequest; classes: readonly string[] }

export const gpuFlavors = oncePer((fleet: Fleet): readonly FlavorView[] =>
  (fleet.input.facts.flavors.value ?? [])
    .filter((flavor) => !flavor.isDisabled)
    .map((flavor) => {
      const request = readFlavorRequest(flavor)
      return { flavor, request, classes: [...gpuAmountsIn(fleet, request).keys()] }
    }),
)
