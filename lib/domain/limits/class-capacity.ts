import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'

/**
 * What a cloud has of a resource class. `capacity`: the maximum of the hardware, from the drivers if a pGPU is sliced,
 * else from Placement; `advertised`: what Placement's providers offer, which is more if SR-IOV cards advertise too many.
 */
export type ClassCapacity = { capacity: Known; advertised: number; pgpus: number }

type Draft = { sum: number; gap: string | null; advertised: number; pgpus: number }

const offeredOf = ({ providers }: Pick<JoinedPgpu, 'providers'>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const { provider } of providers)
    for (const [name, { capacity }] of Object.entries(provider.inventories ?? {}))
      sums.set(name, (sums.get(name) ?? 0) + capacity)
  return sums
}

/** The driver's number of a sliced pGPU; a whole card, or one whose vGPUs are PCI devices, counts as in Placement. */
const realOf = ({ host }: JoinedHost, { pgpu, providers }: JoinedPgpu, offered: number): Known => {
  if (pgpu.framework !== 'mdev' && pgpu.framework !== 'mdev-sriov') return known(offered)
  const { capacity } = pgpu.numbers
  if (capacity.value === null) return unknown(`${host.name} ${pgpu.address}: ${capacity.reason}`)
  // Two types of one card under two classes: neither is known to get all of it.
  const classes = new Set(providers.flatMap(({ provider }) => Object.keys(provider.inventories ?? {})))
  return classes.size > 1 ? known(Math.min(offered, capacity.value)) : known(capacity.value)
}

/** By class name (`VGPU`), over every GPU provider that Placement shows. */
export const classCapacities = (fleet: Fleet): Map<string, ClassCapacity> => {
  const drafts = new Map<string, Draft>()
  const add = (name: string, offered: number, real: Known) => {
    const draft = drafts.get(name) ?? { sum: 0, gap: null, advertised: 0, pgpus: 0 }
    drafts.set(name, {
      sum: draft.sum + (real.value ?? 0),
      gap: draft.gap ?? real.reason,
      advertised: draft.advertised + offered,
      pgpus: draft.pgpus + 1,
    })
  }
  for (const joined of fleet.hosts)
    for (const entry of joined.pgpus)
      for (const [name, offered] of offeredOf(entry)) add(name, offered, realOf(joined, entry, offered))
  for (const { hypervisorHostname, providers } of fleet.unseen)
    for (const [name, offered] of offeredOf({ providers }))
      add(name, offered, unknown(`no agent reports from ${hypervisorHostname}`))
  return new Map(
    [...drafts].map(([name, { sum, gap, advertised, pgpus }]) => [
      name,
      { capacity: gap === null ? known(sum) : unknown(gap), advertised, pgpus },
    ]),
  )
}
