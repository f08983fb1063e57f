import type { Cloud } from '@/simulator/openstack/cloud'
import { serviceIdOf } from '@/simulator/openstack/demo-cloud/catalog'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { benchMember, benchProject, MEMBERS } from './bench-projects'

const NAMES = ['class:VGPU', 'class:VCPU', 'servers', 'class:MEMORY_MB']
const VALUES: Record<string, number> = {
  'class:VGPU': 8,
  'class:VCPU': 200,
  servers: 40,
  'class:MEMORY_MB': 819_200,
}

const addMember = ({ keystone }: Cloud, index: number): void => {
  const { name, password } = benchMember(index)
  const userId = uuidFrom(`bench user ${index}`).replaceAll('-', '')
  const domainId = keystone.domains[0]?.id ?? 'default'
  const roleId = keystone.roles.find((role) => role.name === 'member')?.id ?? ''
  keystone.users.push({ id: userId, name, domainId, password, isEnabled: true })
  keystone.assignments.push({ userId, roleId, target: { kind: 'project', id: benchProject(index).id } })
}

/** Projects with two or three limits each; the first have a member. */
export const addProjects = (cloud: Cloud, count: number): void => {
  const { keystone, region } = cloud
  const domainId = keystone.domains[0]?.id ?? 'default'
  for (let index = 0; index < count; index += 1) {
    const project = benchProject(index)
    keystone.projects.push({ ...project, domainId, isEnabled: true })
    if (index < MEMBERS) addMember(cloud, index)
    for (const resourceName of NAMES.slice(0, 2 + (index % 2)))
      keystone.limits.push({
        id: uuidFrom(`bench limit ${index} ${resourceName}`).replaceAll('-', ''),
        serviceId: serviceIdOf('compute'),
        regionId: region,
        projectId: project.id,
        domainId: null,
        resourceName,
        resourceLimit: (VALUES[resourceName] ?? 1) + (index % 5),
        description: null,
      })
  }
}
