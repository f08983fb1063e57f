import type { FencePreview, FenceWay } from './preview'
import type { ReservationPlan } from './tasks'

/** A preview without content. */
export const emptyFence = (way: FenceWay): FencePreview => ({
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
export const fencePlan = ({
  title,
  fence,
  steps = [],
  targets = [],
}: Pick<ReservationPlan, 'title'> &
  Partial<Pick<ReservationPlan, 'steps' | 'targets'>> & { fence: FencePreview }): ReservationPlan => ({
  kind: 'fence',
  title,
  steps,
  targets,
  refusals: [],
  unchanged: [],
  flavors: [],
  fence,
})
