import { hostMarks, type LoadedFleet } from '@/lib/services/cloud-reading/load-fleet'

/** All that counts follow from. */
export const fleetMark = ({ fleet, roundNumber }: LoadedFleet): readonly unknown[] => [
  roundNumber,
  fleet.input.quotaDriver?.driver,
  ...hostMarks(fleet.input.hosts),
]
