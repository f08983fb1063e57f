import { randomUUID } from 'node:crypto'
import type { Cloud } from '@/simulator/openstack/cloud'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'

const OWN = projectIdOf('cfd-lab')
const OTHER = projectIdOf('bio-ml')
const SERVERS = 500
const FLAVORS = 100

/**
 * Fills a cloud with what is not the tenant's: servers, private flavors and limits of other projects. What the tenant may use and
 * could start stays as it was.
 */
export const addCrowd = ({ nova, keystone }: Cloud): void => {
  const others = [...nova.servers.values()].filter(({ projectId }) => projectId !== OWN)
  const [flavor] = nova.flavors.filter(({ extraSpecs }) => 'resources:VGPU' in extraSpecs)
  if (flavor === undefined || others.length === 0) throw new Error('the cloud has no GPU flavor or no server')
  for (let index = 0; index < SERVERS; index += 1) {
    const like = others[index % others.length]
    if (like === undefined) continue
    const uuid = randomUUID()
    nova.servers.set(uuid, { ...like, uuid, name: `crowd-${index}`, isByApi: true })
  }
  for (let index = 0; index < FLAVORS; index += 1)
    nova.flavors.push({
      ...flavor,
      id: `crowd-${index}`,
      name: `vgpu.crowd-${index}`,
      isPublic: false,
      projectIds: [OTHER],
    })
  for (const limit of keystone.limits) if (limit.projectId !== OWN) limit.resourceLimit += 7
}
