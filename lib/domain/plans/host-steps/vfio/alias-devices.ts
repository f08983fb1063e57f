import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  aliasOfEntry,
  offerOfFunction,
  type PciLayout,
  pciFunctionsOf,
  pciLayoutNow,
} from '@/lib/domain/cloud/pci-layout'
import { meaningOfAlias } from '@/lib/domain/fit/alias-meaning'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { PciFunction } from '@/lib/domain/nova-config/device-spec'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { oncePer } from '@/lib/util/once-per'
import { countOfferingHosts, groupOffers } from '../offered-devices'
import type { FlavorHosts } from '../preview'

type Layouts = ReadonlyMap<JoinedHost, PciLayout>

/**
 * The devices of an alias: by Nova's API where it is known, else by the nova.conf of any compute host, which is mostly the same.
 * An alias that the plan adds is to be added to Nova's API too.
 */
const entriesOf = (fleet: Fleet, layouts: Layouts, name: string): PciAlias[] => {
  const meaning = meaningOfAlias(fleet, name)
  if (meaning.state === 'known') return [...meaning.entries]
  for (const { aliases } of layouts.values()) {
    const found = aliases.flatMap(aliasOfEntry).filter((alias) => alias.name === name)
    if (found.length > 0) return found
  }
  return []
}

const layoutsOf = oncePer(
  ({ hosts }: Fleet): Layouts =>
    new Map(
      hosts.flatMap((joined) => {
        const layout = pciLayoutNow(joined)
        return layout === null || layout.specs.length === 0 ? [] : [[joined, layout] as const]
      }),
    ),
)

const hostsByName = oncePer(
  (layouts: Layouts) => new Map([...layouts.keys()].map((one) => [one.host.name, one])),
)

type On = { joined: JoinedHost; layout: PciLayout; entries: readonly PciAlias[] }

/** The class in Placement under which a VF serves one of the entries; undefined: it serves none. */
const classServed = ({ joined, layout, entries }: On, device: PciFunction): string | null | undefined => {
  const offer = offerOfFunction(joined, layout, device)
  if (offer === null || !entries.some((alias) => aliasTakes(alias, offer) === true)) return undefined
  return offer.resourceClass
}

/**
 * VFs that serve the entries and have a vGPU type, unless a guest names them or a process has them open. Free inventory in
 * Placement takes precedence.
 */
const freeOn = (on: On): number => {
  const { joined } = on
  const { guests, deviceHolders } = joined.host.inventory
  const held = new Set([
    ...(guests ?? []).flatMap((guest) => guest.pciDevices.map(({ address }) => address)),
    ...(deviceHolders ?? []).map(({ device }) => device),
  ])
  return joined.pgpus.reduce((sum, entry) => {
    const serving = pciFunctionsOf(entry).flatMap((device) => {
      const resourceClass = classServed(on, device)
      return resourceClass === undefined ? [] : [{ device, resourceClass }]
    })
    const classes = new Set(serving.map(({ resourceClass }) => resourceClass))
    const inventories = entry.providers.flatMap(({ kind, provider }) =>
      kind === 'pci'
        ? Object.entries(provider.inventories ?? {}).flatMap(([name, one]) =>
            classes.has(name) ? [one] : [],
          )
        : [],
    )
    if (inventories.length > 0)
      return inventories.reduce((free, { capacity, used }) => free + capacity - used, sum)
    const free = serving.filter(({ device }) => {
      const vf = entry.pgpu.virtualFunctions.find(({ address }) => address === device.address)
      return (vf?.currentType ?? 0) > 0 && !held.has(device.address)
    })
    return sum + free.length
  }, 0)
}

/** Whether a host has free what a flavor asks for by an alias. */
export const hasFreeAlias = (
  fleet: Fleet,
  host: string,
  { name, count }: { name: string; count: number },
): boolean => {
  const layouts = layoutsOf(fleet)
  const entries = entriesOf(fleet, layouts, name)
  const joined = hostsByName(layouts).get(host)
  const layout = joined === undefined ? undefined : layouts.get(joined)
  return joined !== undefined && layout !== undefined && freeOn({ joined, layout, entries }) >= count
}

const offersOf = (layouts: Layouts) =>
  [...layouts].flatMap(([joined, layout]) =>
    joined.pgpus.flatMap(pciFunctionsOf).flatMap((device) => {
      const offer = offerOfFunction(joined, layout, device)
      return offer === null ? [] : [{ host: joined.host.name, offer }]
    }),
  )

/** Flavors that request VFs by an alias, and the hosts that assign its devices, before and after. */
export const aliasFlavorHosts = (fleet: Fleet, changed: Layouts): FlavorHosts[] => {
  if (changed.size === 0) return []
  const before = layoutsOf(fleet)
  const after = new Map([...before, ...changed])
  const offers = offersOf(before)
  const changedNames = new Set([...changed.keys()].map(({ host }) => host.name))
  const offered = groupOffers(offers)
  const offeredAfter = groupOffers([
    ...offers.filter(({ host }) => !changedNames.has(host)),
    ...offersOf(changed),
  ])
  const counts = new Map<string, Pick<FlavorHosts, 'before' | 'after'>>()
  const countOf = (name: string): Pick<FlavorHosts, 'before' | 'after'> => {
    const held = counts.get(name) ?? {
      before: countOfferingHosts(offered, entriesOf(fleet, before, name)),
      after: countOfferingHosts(offeredAfter, entriesOf(fleet, after, name)),
    }
    counts.set(name, held)
    return held
  }
  return (fleet.input.facts.flavors.value ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .flatMap((flavor): FlavorHosts[] => {
      const [alias] = readFlavorRequest(flavor).aliases
      if (alias === undefined) return []
      const hosts = countOf(alias.name)
      return hosts.before === hosts.after ? [] : [{ flavorId: flavor.id, name: flavor.name, ...hosts }]
    })
}
