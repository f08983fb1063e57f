import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { naturalOrder } from '@/lib/util/natural-order'
import { readMdevConfig } from '../mdev-config'

/** One vGPU type of a host, as nova.conf is to say it. */
export type LayoutType = {
  typeId: string
  /** mdev parents: VFs of an SR-IOV card, else the card. Null: the default for parents that no type lists. */
  addresses: readonly string[] | null
  /** Resource class; null for VGPU. */
  mdevClass: string | null
  /** Total of the type on this host; null for no bound. */
  maxInstances: number | null
}

/** Which vGPU types a host is to have, and on which parents. Types keep their order. */
export type MdevLayout = {
  host: string
  types: readonly LayoutType[]
  /** All mdev parents of the host, for tools that can't say "all others". */
  parents?: readonly string[]
}

/** Hosts that are to have the same, by one of them. Addresses are in the stored form. */
export type LayoutGroup = { hosts: readonly string[]; layout: MdevLayout }

/** Addresses as nova-compute compares them: as text, lower case, with the domain. */
export const canonicalLayout = (layout: MdevLayout): MdevLayout => ({
  ...layout,
  ...(layout.parents === undefined ? {} : { parents: layout.parents.map(canonicalAddress) }),
  types: layout.types.map((type) => ({
    ...type,
    addresses: type.addresses?.map(canonicalAddress) ?? null,
  })),
})

const keyOf = ({ types }: MdevLayout): string =>
  JSON.stringify(
    types.map(({ typeId, addresses, mdevClass, maxInstances }) => [
      typeId,
      addresses === null ? null : [...addresses].sort(),
      mdevClass,
      maxInstances,
    ]),
  )

/** Hosts with equal layouts together, as one advises: one type per host, hosts in groups. In natural order of names. */
export const groupLayouts = (layouts: readonly MdevLayout[]): LayoutGroup[] => {
  const groups = new Map<string, { hosts: string[]; layout: MdevLayout }>()
  for (const layout of [...layouts].sort((a, b) => naturalOrder(a.host, b.host)).map(canonicalLayout)) {
    const group = groups.get(keyOf(layout))
    if (group === undefined) groups.set(keyOf(layout), { hosts: [layout.host], layout })
    else group.hosts.push(layout.host)
  }
  return [...groups.values()]
}

/** The current layout of a host's nova.conf; a type that is named twice appears once. */
export const layoutOfConfig = (host: string, config: NovaConfig): MdevLayout => ({
  host,
  types: readMdevConfig(config).types.flatMap((type, index, all): LayoutType[] =>
    all.findIndex(({ typeId }) => typeId === type.typeId) < index
      ? []
      : [
          {
            typeId: type.typeId,
            addresses: type.deviceAddresses.length === 0 ? null : type.deviceAddresses,
            mdevClass: type.mdevClass,
            maxInstances: type.maxInstances,
          },
        ],
  ),
})
