import type { ConfiguredType } from '@/lib/domain/nova-config/mdev-config'
import { isNovaAddress } from '@/lib/domain/nova-config/mdev-option-values'
import { novaSince, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { type Detector, type HostDetector, type HostFacts, type LocatedFinding, NO_START } from './detector'

/** An empty address counts as one too: Nova then searches a folder of that name in /sys/devices/virtual. */
const isVirtualParent = (host: HostFacts, address: string): boolean =>
  address === '' ||
  host.inventory.gpus.some(
    (gpu) => gpu.vendorId === null && [gpu.address, `${gpu.address}_${gpu.address}`].includes(address),
  )

const NEEDS_DOMAIN = 'a device address needs the 4-digit domain, like 0000:41:00.0'
const NEEDS_NEWER = `releases before ${novaSince('virtualMdevParents')} accept only PCI addresses`

const malformed = (type: ConfiguredType, address: string, because: string): LocatedFinding => ({
  code: 'address-malformed',
  severity: 'error',
  sentence: `device_addresses of ${type.typeId} holds ${address === '' ? 'a blank address' : address}; nova-compute does not start`,
  detail: `${type.addressesSource}: ${because}. nova-compute refuses its configuration at the next start.`,
  pgpuAddress: null,
})

const upperCase = (host: HostFacts, type: ConfiguredType, address: string): LocatedFinding => {
  const lower = address.toLowerCase()
  return {
    code: 'address-upper-case',
    severity: 'error',
    sentence: `${address} is in upper case, so Nova never gives it ${type.typeId}`,
    detail: `${type.addressesSource}: Nova compares the text with the lower-case address of libvirt and reports no error. The pGPU gets the default type or none. Write ${lower}.`,
    pgpuAddress: host.owners.get(lower)?.pgpu.address ?? null,
  }
}

/** Addresses in `device_addresses` that Nova refuses, or accepts and never matches. */
const detect: Detector = (host) =>
  (host.nova?.mdev.types ?? []).flatMap((type) =>
    type.deviceAddresses.flatMap((address): LocatedFinding[] => {
      if (isVirtualParent(host, address))
        return rangeHas(host.range, 'virtualMdevParents') === false
          ? [malformed(type, address, address === '' ? NEEDS_DOMAIN : NEEDS_NEWER)]
          : []
      if (!isNovaAddress(address)) return [malformed(type, address, NEEDS_DOMAIN)]
      return address === address.toLowerCase() ? [] : [upperCase(host, type, address)]
    }),
  )

export const addressFormat: HostDetector = {
  findings: {
    'address-malformed': {
      title: 'A device address is invalid; nova-compute does not start',
      severities: ['error'],
      detection: "nova.conf: an address in device_addresses does not match Nova's pattern.",
      consequence: NO_START,
      nextStep: 'Write the address with its 4-digit domain, like 0000:41:00.0.',
      source: 'nova.conf',
    },
    'address-upper-case': {
      title: 'A device address is in upper case and never matches',
      severities: ['error'],
      detection:
        'nova.conf and sysfs: an address in device_addresses has upper case letters, and libvirt reports addresses in lower case.',
      consequence: 'The address never matches, and the card gets the default type or none.',
      nextStep: 'Write the address in lower case and restart nova-compute.',
      source: 'nova.conf',
    },
  },
  detect,
}
