import { listText } from '@/lib/domain/wording'
import type { Guest } from '@/lib/schemas/agent/inventory'
import type { Detector, HostDetector, LocatedFinding } from './detector'

const detail = (what: string, guests: Guest[]): string =>
  `Only one of them can run with ${what}; the other fails to start. Compare ${listText(
    guests.map((guest) => guest.persistentPath ?? guest.livePath ?? guest.name),
  )}, and cold migrate the server of the incorrect one, or undefine a guest that Nova does not list.`

const names = (guests: Guest[]): string => listText(guests.map((guest) => guest.name))

/** An mdev, or a PCI function of a pGPU, that two guests name. */
const detect: Detector = ({ inventory, occupancy, owners }) => {
  const parents = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev.parent]))
  const mdevs = [...occupancy.byMdev].flatMap(([uuid, guests]): LocatedFinding[] => {
    if (guests.length < 2) return []
    return [
      {
        code: 'mdev-in-two-guests',
        severity: 'error',
        sentence: `${names(guests)} name the same mdev`,
        detail: detail(`mdev ${uuid}`, guests),
        pgpuAddress: owners.get(parents.get(uuid) ?? '')?.pgpu.address ?? null,
      },
    ]
  })
  const devices = [...occupancy.byPciAddress].flatMap(([address, guests]): LocatedFinding[] => {
    const owner = owners.get(address)
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

export const doubleClaims: HostDetector = {
  findings: {
    'device-in-two-guests': {
      title: 'Two guests name the same PCI device',
      severities: ['error'],
      detection: 'libvirt: the XML of two guests names the same PCI function.',
      consequence: 'Only one of the guests can run with the device.',
      nextStep:
        'Cold migrate the server of the incorrect guest. If Nova does not list the guest, undefine it.',
      source: 'libvirt',
    },
    'mdev-in-two-guests': {
      title: 'Two guests name the same mdev',
      severities: ['error'],
      detection: 'libvirt: the XML of two guests names the same mdev.',
      consequence: 'Only one of the guests can run with the mdev.',
      nextStep:
        'Cold migrate the server of the incorrect guest. If Nova does not list the guest, undefine it.',
      source: 'libvirt',
    },
  },
  detect,
}
