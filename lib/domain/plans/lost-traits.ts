import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { lossesOf } from '@/lib/domain/findings/cloud/trait-lost'

type Device = { joined: JoinedHost; entry: JoinedPgpu; address: string; typeId: string }

/**
 * Custom traits that a device's provider should have and does not: lost at its recreation, or managed and removed
 * manually.
 */
export const lostTraits = (fleet: Fleet, { joined, entry, address, typeId }: Device): string[] => {
  const loss = lossesOf(fleet, joined, entry).find((one) => one.entry.address === address)
  const present = entry.providers.find((one) => one.address === address)?.provider.traits ?? []
  const managed = (fleet.managedTraits.get(`${joined.host.name} ${address}`) ?? [])
    .filter((one) => one.typeId === typeId && !present.includes(one.trait))
    .map(({ trait }) => trait)
  return [...new Set([...(loss?.traits ?? []), ...managed])].toSorted()
}
