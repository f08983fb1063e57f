import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { planAggregate } from './plan-aggregate'
import { planCpus } from './plan-cpus'
import { planSecondService } from './plan-second-service'
import type { FenceWish, ReservationPlan } from './tasks'

/** Plan that reserves capacity for GPU servers on hosts that ordinary servers share. */
export const planFence = (fleet: Fleet, wish: FenceWish): ReservationPlan => {
  if (wish.way === 'cpus') return planCpus(fleet, wish)
  return wish.way === 'second-service' ? planSecondService(fleet, wish) : planAggregate(fleet, wish)
}
