import type { ConfiguredType } from '@/lib/domain/nova-config/mdev-config'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { listText } from '@/lib/domain/wording'
import type { Detector, HostDetector, LocatedFinding } from './detector'

const advice = (card: Card): string => {
  if (card.pgpu.framework === 'mdev-sriov')
    return 'On this card the virtual functions are the mdev parents: list their addresses instead of the physical function.'
  if (card.pgpu.framework === 'passthrough')
    return 'This card is configured for PCI passthrough. Remove the address, or bind the card to its vGPU driver.'
  return 'The card currently offers no mdev types. Check its driver and its virtual functions, or remove the address.'
}

const findingFor = (card: Card, type: ConfiguredType, addresses: string[]): LocatedFinding => ({
  code: 'address-not-a-parent',
  severity: 'warning',
  sentence: `nova.conf assigns ${type.typeId} to ${listText(addresses)}, but no vGPU can be created there`,
  detail: `${type.addressesSource}: Nova ignores the address without an error. ${advice(card)}`,
  pgpuAddress: card.pgpu.address,
})

/**
 * The card itself has a problem, its driver is missing or its VFs have no types: `card-without-framework` reports it, and
 * nova.conf may be correct. A PF is never a parent.
 */
const isOutOfOrder = ({ facts: { gpu }, pgpu }: Card, address: string): boolean =>
  pgpu.framework === 'none' &&
  gpu.vendorId === '10de' &&
  ((gpu.sriov?.totalVfs ?? 0) === 0 || address !== gpu.address)

/** Addresses in `device_addresses` of GPUs that are here but are no mdev parents, above all PFs of SR-IOV cards. */
const detect: Detector = ({ nova, owners }) =>
  (nova?.mdev.types ?? []).flatMap((type) => {
    const wrong = new Map<Card, string[]>()
    for (const address of new Set(type.deviceAddresses)) {
      const card = owners.get(address)
      if (card === undefined || card.facts.assigned?.has(address) === true) continue
      if (isOutOfOrder(card, address)) continue
      wrong.set(card, [...(wrong.get(card) ?? []), address])
    }
    return [...wrong].map(([card, addresses]) => findingFor(card, type, addresses))
  })

export const addressNotAParent: HostDetector = {
  findings: {
    'address-not-a-parent': {
      title: 'A device address names no mdev parent',
      severities: ['warning'],
      detection:
        'nova.conf and sysfs: an address in device_addresses belongs to a GPU of the host that is no mdev parent.',
      consequence: 'Nova ignores the address, and the card gets another type or none.',
      nextStep: 'List the addresses of the mdev parents, on SR-IOV cards those of the VFs.',
      source: 'nova.conf',
    },
  },
  detect,
}
