import type { Plan } from '../types'
import type { FencePreview, FenceWay } from './preview'

/** A fence of which nothing is known yet. */
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

/** A plan that is about a fence and nothing else. */
export const fencePlan = ({
  title,
  fence,
  steps = [],
  targets = [],
}: Pick<Plan, 'title'> & Partial<Pick<Plan, 'steps' | 'targets'>> & { fence: FencePreview }): Plan => ({
  title,
  steps,
  targets,
  refusals: [],
  unchanged: [],
  flavors: [],
  typeChange: null,
  fence,
})
