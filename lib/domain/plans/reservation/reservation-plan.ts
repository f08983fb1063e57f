import type { ReservationMethod, ReservationPreview } from './preview'
import type { ReservationPlan } from './tasks'

/** A preview without content. */
export const emptyReservation = (way: ReservationMethod): ReservationPreview => ({
  way,
  hosts: [],
  costs: [],
  checks: [],
  flavors: [],
  moves: [],
  aggregate: null,
  configs: [],
  refusal: null,
})

/** A plan without refusals of single pGPUs. */
export const reservationPlan = ({
  title,
  reservation,
  steps = [],
  targets = [],
}: Pick<ReservationPlan, 'title'> &
  Partial<Pick<ReservationPlan, 'steps' | 'targets'>> & {
    reservation: ReservationPreview
  }): ReservationPlan => ({
  kind: 'fence',
  title,
  steps,
  targets,
  refusals: [],
  unchanged: [],
  flavors: [],
  fence: reservation,
})
