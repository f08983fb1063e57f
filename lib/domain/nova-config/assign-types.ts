import type { MdevConfig } from './mdev-config'

/** The type that nova.conf gives an mdev parent, and the line that does. */
export type AssignedType = { typeId: string; source: string }

/** Which type nova-compute would use on which mdev parent. */
export type TypeAssignment = {
  /** Type for parents that no type lists; null when every type has addresses or none is enabled. */
  default: AssignedType | null
  /** By address as written: nova-compute compares text, so upper case never matches. */
  byAddress: ReadonlyMap<string, AssignedType>
  /** Types without addresses after the first: nova-compute warns and drops them. */
  droppedDefaults: string[]
  /** Addresses under two types: nova-compute does not start. The first type is kept here. */
  duplicates: { address: string; typeIds: [string, string] }[]
}

/** Source: nova/virt/libvirt/driver.py _get_supported_vgpu_types. */
export const assignTypes = (config: MdevConfig): TypeAssignment => {
  const byAddress = new Map<string, AssignedType>()
  const droppedDefaults: string[] = []
  const duplicates: TypeAssignment['duplicates'] = []
  let fallback: AssignedType | null = null
  for (const type of config.types) {
    if (type.deviceAddresses.length === 0) {
      // A blank name counts as none: "if not self.pgpu_type_default".
      if (fallback === null || fallback.typeId === '')
        fallback = { typeId: type.typeId, source: config.typesSource ?? '' }
      else droppedDefaults.push(type.typeId)
      continue
    }
    for (const address of type.deviceAddresses) {
      const held = byAddress.get(address)
      if (held === undefined)
        byAddress.set(address, { typeId: type.typeId, source: type.addressesSource ?? '' })
      else duplicates.push({ address, typeIds: [held.typeId, type.typeId] })
    }
  }
  return { default: fallback, byAddress, droppedDefaults, duplicates }
}

/** The type of one mdev parent; `parent` is its PCI address, or `mtty_mtty` for the kernel's sample. */
export const assignedType = (assignment: TypeAssignment, parent: string): AssignedType | null =>
  assignment.byAddress.get(parent) ?? assignment.default
