import { uuidFrom } from '@/simulator/random/uuid-from'
import { PROJECTS } from '@/simulator/world/projects'
import type { Network, SecurityGroup } from '../neutron/neutron-state'
import { projectIdOf } from './accounts'

const network = (given: Pick<Network, 'name' | 'projectId'> & Partial<Network>): Network => ({
  id: uuidFrom(`network ${given.name}`),
  isShared: false,
  isExternal: false,
  subnetIds: [uuidFrom(`subnet ${given.name}`)],
  ...given,
})

/** A network for each project, one that all share, the external one, and one that has no subnet yet. */
export const demoNetworks = (): Network[] => [
  network({ name: 'public', projectId: projectIdOf('admin'), isExternal: true }),
  network({ name: 'campus-shared', projectId: projectIdOf('admin'), isShared: true }),
  ...Object.values(PROJECTS).map(({ name, id }) => network({ name: `${name}-net`, projectId: id })),
  network({ name: 'cfd-storage', projectId: projectIdOf('cfd-lab'), subnetIds: [] }),
]

/** Neutron creates `default` for each project. */
export const demoSecurityGroups = (): SecurityGroup[] =>
  Object.values(PROJECTS).flatMap(({ id }) =>
    ['default', 'ssh-only'].map((name) => ({
      id: uuidFrom(`security group ${id} ${name}`),
      name,
      projectId: id,
    })),
  )
