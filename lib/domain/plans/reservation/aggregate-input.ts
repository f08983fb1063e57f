import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import type { AggregateInput } from './tasks'

/** The hosts, and the flavors that may come or are to stay away. */
export type AggregateDraft = {
  joined: readonly JoinedHost[]
  chosen: readonly Flavor[]
  ordinary: readonly Flavor[]
}

export const usable = ({ input }: Fleet): Flavor[] =>
  (input.facts.flavors.value ?? []).filter(({ isDisabled }) => !isDisabled)

const requires = (flavor: Flavor, trait: string): boolean =>
  readFlavorRequest(flavor).groups.some(({ required }) => required.includes(trait))

/** Flavors that may use the reserved hosts once the plan is done. */
export const mayCome =
  (fleet: Fleet, { way, trait, flavorIds }: AggregateInput) =>
  (flavor: Flavor): boolean =>
    way === 'isolated' ? flavorIds.includes(flavor.id) || requires(flavor, trait) : isGpuFlavor(fleet, flavor)

export const keyOf = ({ trait }: AggregateInput): string => `trait:${trait}`
