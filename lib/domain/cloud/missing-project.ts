import type { FleetFacts } from './fleet-types'
import { incompleteBecause } from './freshness'

/** Why a project can't be used that is not among Keystone's: an incomplete list does not prove that it is missing. */
export const missingProject = (input: Pick<FleetFacts, 'facts'>): string => {
  const because = incompleteBecause(input, 'projects')
  return because === null
    ? 'Keystone has no such project'
    : `the project is not in the console's list, which does not prove that it is missing: ${because}`
}
