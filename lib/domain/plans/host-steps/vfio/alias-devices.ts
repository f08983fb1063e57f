import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  classOfEntry,
  type PciLayout,
  pciFunctionsOf,
  pciLayoutNow,
  specFor,
} from '@/lib/domain/cloud/pci-layout'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import type { FlavorHosts } from '../preview'

/**
 * The class that an alias stands for, by the nova.conf of any compute host: that of Nova's API is not seen. Null: no host
 * has such an alias, or it names a product.
 */
const classOfAlias = (layouts: Iterable<PciLayout>, name: string): string | null => {
  for (const { aliases } of layouts) {
    const alias = aliases.find(({ entry }) => entry.name === name)
    const resourceClass = alias === undefined ? null : classOfEntry(alias)
    if (resourceClass !== null) return resourceClass
  }
  return null
}

const layoutsOf = ({ hosts }: Fleet): Map<JoinedHost, PciLayout> =>
  new Map(
    hosts.flatMap((joined) => {
      const layout = pciLayoutNow(joined)
      return layout === null || layout.specs.length === 0 ? [] : [[joined, layout] as const]
    }),
  )

/** VFs of a class that carry a vGPU type and that no guest names; what Placement has free goes before. */
const freeOfClass = (joined: JoinedHost, layout: PciLayout, resourceClass: string): number => {
  const inventories = joined.pgpus.flatMap(({ providers }) =>
    providers.flatMap(({ kind, provider }) =>
      kind === 'pci' ? (provider.inventories?.[resourceClass] ?? []) : [],
    ),
  )
  if (inventories.length > 0) return inventories.reduce((sum, { capacity, used }) => sum + capacity - used, 0)
  const held = new Set(
    (joined.host.inventory.guests ?? []).flatMap((guest) => guest.pciDevices.map(({ address }) => address)),
  )
  return joined.pgpus.flatMap((entry) =>
    pciFunctionsOf(entry).filter((device) => {
      const spec = specFor(layout, device)
      const vf = entry.pgpu.virtualFunctions.find(({ address }) => address === device.address)
      const isTyped = (vf?.currentType ?? 0) > 0 && !held.has(device.address)
      return isTyped && spec !== null && classOfEntry(spec) === resourceClass
    }),
  ).length
}

/** Whether a host has free what a flavor asks for by an alias. */
export const hasFreeAlias = (
  fleet: Fleet,
  host: string,
  { name, count }: { name: string; count: number },
): boolean => {
  const layouts = layoutsOf(fleet)
  const resourceClass = classOfAlias(layouts.values(), name)
  const found = [...layouts].find(([joined]) => joined.host.name === host)
  return (
    resourceClass !== null && found !== undefined && freeOfClass(found[0], found[1], resourceClass) >= count
  )
}

const offers = (joined: JoinedHost, layout: PciLayout, resourceClass: string): boolean =>
  joined.pgpus.some((entry) =>
    pciFunctionsOf(entry).some((device) => {
      const spec = specFor(layout, device)
      return spec !== null && classOfEntry(spec) === resourceClass
    }),
  )

/** Flavors that ask by an alias, and the hosts that hand out what it stands for, before and after. */
export const aliasFlavorHosts = (
  fleet: Fleet,
  changed: ReadonlyMap<JoinedHost, PciLayout>,
): FlavorHosts[] => {
  const before = layoutsOf(fleet)
  const after = new Map([...before, ...changed])
  const count = (layouts: ReadonlyMap<JoinedHost, PciLayout>, resourceClass: string): number =>
    [...layouts].filter(([joined, layout]) => offers(joined, layout, resourceClass)).length
  return (fleet.input.facts.flavors.value ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .flatMap((flavor): FlavorHosts[] => {
      const [alias] = readFlavorRequest(flavor).aliases
      const resourceClass = alias === undefined ? null : classOfAlias(after.values(), alias.name)
      if (resourceClass === null) return []
      const hosts = { before: count(before, resourceClass), after: count(after, resourceClass) }
      return hosts.before === hosts.after ? [] : [{ flavorId: flavor.id, name: flavor.name, ...hosts }]
    })
}
