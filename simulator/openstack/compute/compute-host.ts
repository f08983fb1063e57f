import type { HostSpec } from '@/simulator/host-tree/host-spec'

/** TripleO and its successor name hypervisors by their full name; libvirt reports the short one elsewhere. */
export const hypervisorHostname = ({ name, nova }: HostSpec): string =>
  nova.deployment === 'tripleo' || nova.deployment === 'rhoso' ? `${name}.paris.example` : name

export const novaRelease = ({ nova }: HostSpec): number => Number.parseInt(nova.version, 10)

/** `0000:84:00.0` is `pci_0000_84_00_0` for libvirt; a virtual parent is named after driver and device. */
const nodeDeviceName = (slot: string): string =>
  slot.includes(':') ? `pci_${slot.replaceAll(/[:.]/g, '_')}` : `${slot}_${slot}`

export const mdevProviderName = (spec: HostSpec, slot: string): string =>
  `${hypervisorHostname(spec)}_${nodeDeviceName(slot)}`

export const pciProviderName = (spec: HostSpec, address: string): string =>
  `${hypervisorHostname(spec)}_${address}`
