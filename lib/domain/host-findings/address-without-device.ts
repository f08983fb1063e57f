import type { ConfiguredType } from '@/lib/domain/nova-config/mdev-config'
import { isNovaAddress } from '@/lib/domain/nova-config/mdev-option-values'
import { listText } from '@/lib/domain/wording'
import { type Detector, type HostDetector, type HostFacts, isMdevCard } from './detector'

const ALL_DEVICES = new Set(['/sys', '/sys/bus/pci/devices', '/sys/class/mdev_bus'])

/** Of cards whose VFs are off, or not all on: an address there may be one that comes back with them. */
const busesOfHiddenVfs = ({ inventory }: HostFacts): Set<string> =>
  new Set(
    inventory.gpus
      .filter(({ sriov, virtualFunctions }) => (sriov?.totalVfs ?? 0) > virtualFunctions.length)
      .map(({ address }) => address.slice(0, 8)),
  )

/** A card goes without a type, or the type without a card: more than a list that was written for several hosts. */
const isFelt = (host: HostFacts, type: ConfiguredType): boolean =>
  host.cards.some((card) => isMdevCard(card) && card.pgpu.configuredType === null) ||
  !type.deviceAddresses.some((address) => host.owners.has(address))

/**
 * Addresses in `device_addresses` that no GPU of the host has: a typing mistake, a card that moved or failed, or one list
 * for many hosts. Nova does not report them, because it only looks up the parents that libvirt names.
 */
const detect: Detector = (host) => {
  const { problems } = host.inventory
  if (problems.some(({ source }) => ALL_DEVICES.has(source))) return []
  const hidden = busesOfHiddenVfs(host)
  const isUnread = (address: string): boolean =>
    problems.some(({ source, message }) => source.includes(address) || message.includes(address))
  return (host.nova?.mdev.types ?? []).flatMap((type) => {
    const missing = [...new Set(type.deviceAddresses)].filter(
      (address) =>
        isNovaAddress(address) &&
        address === address.toLowerCase() &&
        !host.owners.has(address) &&
        !hidden.has(address.slice(0, 8)) &&
        !isUnread(address),
    )
    if (missing.length === 0) return []
    return [
      {
        code: 'address-without-device',
        severity: isFelt(host, type) ? 'warning' : 'info',
        sentence: `nova.conf assigns ${type.typeId} to ${listText(missing)}, but no GPU has this address`,
        detail: `${type.addressesSource}: Nova ignores the address without an error. Correct or remove it. If a card is expected there, check with lspci -s ${missing[0]} and the kernel log whether it dropped off the bus.`,
        pgpuAddress: null,
      },
    ]
  })
}

export const addressWithoutDevice: HostDetector = {
  findings: {
    'address-without-device': {
      title: 'A device address names no device of the host',
      severities: ['warning', 'info'],
      detection: 'nova.conf and sysfs: an address in device_addresses belongs to no device of the host.',
      consequence: 'Nova ignores the address without an error. The intended card gets another type or none.',
      nextStep:
        'Correct the address in device_addresses and restart nova-compute, or check why the card is missing.',
      source: 'nova.conf',
    },
  },
  detect,
}
