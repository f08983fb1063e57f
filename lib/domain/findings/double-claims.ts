import { listText } from '@/lib/domain/wording'
import type { Guest } from '@/lib/schemas/agent/inventory'
import type { Card, Detector, HostFacts, LocatedFinding } from './detector'

const ownerOf = (host: HostFacts, address: string | undefined): Card | undefined =>
  host.cards.find(
    ({ facts }) =>
      facts.gpu.address === address || facts.gpu.virtualFunctions.some((vf) => vf.address === address),
  )

const detail = (what: string, guests: Guest[]): string =>
  `Only one of them can run with ${what}; the other fails to start. Compare ${listText(
    guests.map((guest) => guest.persistentPath ?? guest.livePath ?? guest.name),
  )}, and hard reboot the wrong one through Nova.`

const names = (guests: Guest[]): string => listText(guests.map((guest) => guest.name))

/** An mdev, or a PCI function of a pGPU, that two guests name. */
export const doubleClaims: Detector = (host) => {
  const mdevs = [...host.occupancy.byMdev].flatMap(([uuid, guests]): LocatedFinding[] => {
    if (guests.length < 2) return []
    const parent = host.inventory.mdevs?.find((mdev) => mdev.uuid === uuid)?.parent
    return [
      {
        code: 'mdev-in-two-guests',
        severity: 'error',
        sentence: `${names(guests)} name the same mdev`,
        detail: detail(`mdev ${uuid}`, guests),
        pgpuAddress: ownerOf(host, parent)?.pgpu.address ?? null,
      },
    ]
  })
  const devices = [...host.occupancy.byPciAddress].flatMap(([address, guests]): LocatedFinding[] => {
    const owner = ownerOf(host, address)
    if (guests.length < 2 || owner === undefined) return []
    return [
      {
        code: 'device-in-two-guests',
        severity: 'error',
        sentence: `${names(guests)} name the same PCI device`,
        detail: detail(address, guests),
        pgpuAddress: owner.pgpu.address,
      },
    ]
  })
  return [...mdevs, ...devices]
}
