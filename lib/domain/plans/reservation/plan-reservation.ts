import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { planAggregate } from './plan-aggregate'
import { planCpus } from './plan-cpus'
import { planSecondService } from './plan-second-service'
import type { ReservationInput, ReservationPlan } from './tasks'

/** Plan that reserves capacity for GPU servers on hosts that ordinary servers share. */
export const planReservation = (fleet: Fleet, input: ReservationInput): ReservationPlan => {
  if (input.way === 'cpus') return planCpus(fleet, input)
  return input.way === 'second-service' ? planSecondService(fleet, input) : planAggregate(fleet, input)
}
