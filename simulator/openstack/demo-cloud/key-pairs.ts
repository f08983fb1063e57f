import { PROJECTS } from '@/simulator/world/projects'
import type { NovaState } from '../nova/nova-state'

/** Key pairs belong to a user, not to a project. */
export const demoKeyPairs = (): NovaState['keyPairs'] =>
  new Map(
    Object.values(PROJECTS)
      .flatMap(({ users }) => users)
      .map(({ id, name }) => [id, [`${name}-laptop`]]),
  )
