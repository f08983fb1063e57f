/**
 * What the name of a resource provider means. `mdev`: a parent of mdevs (the GPU, or one VF). `pci`: PCI in Placement (a
 * device, or a PF with its VFs). `root`: the compute node itself. `other`: a child that is no GPU, e.g. a NUMA node or a
 * network agent; only a provider with a parent can be one.
 */
export type ProviderName =
  | { kind: 'mdev' | 'pci'; hypervisorHostname: string; address: string }
  | { kind: 'root'; hypervisorHostname: string; address: null }
  | { kind: 'other'; hypervisorHostname: null; address: null }

const MDEV = /^(.+)_pci_([0-9a-f]{4})_([0-9a-f]{2})_([0-9a-f]{2})_([0-7])$/i
const PCI = /^(.+)_([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/i
/** libvirt's name of the kernel's sample parent is its sysfs name twice. */
const VIRTUAL = /^(.+)_(mtty)_\2$/

/**
 * Parses the name that Nova gave a provider (nova/virt/libvirt/driver.py, nova/compute/pci_placement_translator.py). The
 * hypervisor's name may contain dots, dashes and underscores, so the name is parsed from its end. Addresses are returned
 * in canonical form; `hasParent` distinguishes a root from a child that is no GPU.
 */
export const parseProviderName = (name: string, { hasParent }: { hasParent: boolean }): ProviderName => {
  const mdev = MDEV.exec(name)
  if (mdev !== null)
    return {
      kind: 'mdev',
      hypervisorHostname: mdev[1] ?? '',
      address: `${mdev[2]}:${mdev[3]}:${mdev[4]}.${mdev[5]}`.toLowerCase(),
    }
  const pci = PCI.exec(name)
  if (pci !== null)
    return { kind: 'pci', hypervisorHostname: pci[1] ?? '', address: (pci[2] ?? '').toLowerCase() }
  const virtual = VIRTUAL.exec(name)
  if (virtual !== null)
    return { kind: 'mdev', hypervisorHostname: virtual[1] ?? '', address: virtual[2] ?? '' }
  return hasParent
    ? { kind: 'other', hypervisorHostname: null, address: null }
    : { kind: 'root', hypervisorHostname: name, address: null }
}

/** Name of the provider that Nova creates for an mdev parent: `cmp-01_pci_0000_84_00_0`. Source: as above. */
export const mdevProviderName = ({
  hypervisorHostname,
  address,
}: {
  hypervisorHostname: string
  address: string
}): string =>
  /^[0-9a-f]{4}:/.test(address)
    ? `${hypervisorHostname}_pci_${address.replace(/[:.]/g, '_')}`
    : `${hypervisorHostname}_${address}_${address}`

/** Name of the provider that Nova creates for a PCI device in Placement: `cmp-01_0000:84:00.0`. Source: as above. */
export const pciProviderName = ({
  hypervisorHostname,
  address,
}: {
  hypervisorHostname: string
  address: string
}): string => `${hypervisorHostname}_${address}`
