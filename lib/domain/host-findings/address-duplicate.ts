import { type Detector, type HostDetector, NO_START } from './detector'

/** nova/virt/libvirt/driver.py: "duplicate types for PCI ID". */
const detect: Detector = ({ nova }) =>
  (nova?.assignment.duplicates ?? []).map(({ address, typeIds }) => ({
    code: 'address-duplicate',
    severity: 'error',
    sentence:
      typeIds[0] === typeIds[1]
        ? `${address} is listed twice under ${typeIds[0]}; nova-compute does not start`
        : `${address} is listed under ${typeIds[0]} and ${typeIds[1]}; nova-compute does not start`,
    detail: `nova-compute refuses its configuration with "duplicate types for PCI ID ${address}" at the next start. List the address under one type in device_addresses, and each type once in enabled_mdev_types. Remove a type that has no address left: it would become the default type of other cards.`,
    pgpuAddress: null,
  }))

export const addressDuplicate: HostDetector = {
  findings: {
    'address-duplicate': {
      title: 'A PCI address is listed under two vGPU types; nova-compute does not start',
      severities: ['error'],
      detection: 'nova.conf: two types list the same address in device_addresses.',
      consequence: NO_START,
      nextStep:
        'List the address under one type in device_addresses. Remove the other type if it has no address left.',
      source: 'nova.conf',
    },
  },
  detect,
}
