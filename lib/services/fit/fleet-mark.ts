import type { LoadedFleet } from '@/lib/services/cloud-reading/load-fleet'

export type FleetMark = readonly unknown[]

/** All that counts follow from; inventories stay the same objects while a host does not change. */
export const fleetMark = ({ fleet, roundNumber }: LoadedFleet): FleetMark => [
  roundNumber,
  fleet.input.quotaDriver?.driver,
  ...fleet.hosts.flatMap(({ host }) => [host.inventory, host.isSilent]),
]

export const isSameMark = (a: FleetMark, b: FleetMark): boolean =>
  a.length === b.length && a.every((part, place) => part === b[place])
