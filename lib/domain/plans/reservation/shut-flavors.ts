import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavorsOf, serversByGpus } from '@/lib/domain/headroom/gpu-flavors'
import { shutOutBecause } from '@/lib/domain/headroom/shut-out'
import type { ReservationCheck, ReservationFlavor } from './preview'

type ShutFlavor = { id: string; name: string; because: string }

/** Flavors whose GPUs a host has and whose servers may not come there all the same. */
export const shutFlavors = (fleet: Fleet, joined: JoinedHost): readonly ShutFlavor[] =>
  gpuFlavorsOf(fleet).flatMap((flavor) => {
    if (serversByGpus(fleet, joined, flavor) === null) return []
    const because = shutOutBecause(fleet, joined, flavor)
    return because === null ? [] : [{ id: flavor.id, name: flavor.name, because }]
  })

/** Whether a host has GPUs of a flavor and lets its servers come. */
export const landsOn = (fleet: Fleet, joined: JoinedHost, flavor: Flavor): boolean =>
  serversByGpus(fleet, joined, flavor) !== null && shutOutBecause(fleet, joined, flavor) === null

/** The entry of a flavor of which no server fits, with or without the reservation. */
export const noneFits = ({ id, name }: Flavor): ReservationFlavor => ({
  id,
  name,
  before: 0,
  after: 0,
  worst: 0,
  short: [],
})

export const shutChecks = (host: string, shut: readonly ShutFlavor[]): ReservationCheck[] =>
  shut.map(({ name, because }) => ({
    text: `${name} cannot be scheduled on ${host}, with or without the reservation: ${because}.`,
    isMet: false,
    wayOut: 'To schedule its servers there, first change the flavor or the aggregates of the host.',
  }))
