import type { Cloud } from '@/simulator/openstack/cloud'
import { replaceAggregates } from '@/simulator/openstack/placement/change-providers'
import { uuidFrom } from '@/simulator/random/uuid-from'

/** Aggregates of neighboring hosts, each host in two or three of them; Placement does not have every fortieth. */
export const addAggregates = ({ nova, placement, now }: Cloud, count: number): void => {
  const { computes } = nova
  const width = Math.ceil((2.5 * computes.length) / count)
  for (let index = 0; index < count; index += 1) {
    const first = Math.floor((index * computes.length) / count)
    const members = Array.from({ length: width }, (_, turn) => computes[(first + turn) % computes.length])
    const uuid = uuidFrom(`bench aggregate ${index}`)
    nova.aggregates.push({
      id: 1000 + index,
      uuid,
      name: `rack-${index}`,
      zone: null,
      hosts: members.flatMap((compute) => compute?.host ?? []),
      metadata: index % 3 === 0 ? { gpu: 'true' } : { rack: String(index) },
      createdMs: now().getTime() - 90 * 86_400_000,
    })
    if (index % 40 === 39) continue
    for (const compute of members) {
      const root = placement.providers.get(compute?.uuid ?? '')
      if (root !== undefined) replaceAggregates(root, new Set([...root.aggregates, uuid]))
    }
  }
}
