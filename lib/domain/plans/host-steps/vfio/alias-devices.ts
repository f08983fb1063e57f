import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import {
  aliasOfEntry,
  offerOfFunction,
  type PciLayout,
  pciFunctionsOf,
  pciLayoutNow,
} from '@/lib/domain/cloud/pci-layout'
import { meaningOfAlias } from '@/lib/domain/fit/alias-meaning'
import { aliasTakes, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import type { PciFunction } from '@/lib/domain/nova-config/device-spec'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { oncePer } from '@/lib/util/once-per'
import { aliasFlavors, countOfferingHosts, groupOffers } from '../offered-devices'
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

type AssignedVf = { device: PciFunction; offer: PciOffer }
type AssignedVfs = readonly { entry: JoinedPgpu; vfs: readonly AssignedVf[] }[]

/** The VFs that a layout assigns. VFs that aliases cannot distinguish share one offer. */
const readAssigned = (joined: JoinedHost, layout: PciLayout): AssignedVfs => {
  const offers = new Map<string, PciOffer>()
  return joined.pgpus.map((entry) => ({
    entry,
    vfs: pciFunctionsOf(entry).flatMap((device) => {
      const offer = offerOfFunction(joined, layout, device)
      if (offer === null) return []
      const text = JSON.stringify(offer)
      offers.set(text, offers.get(text) ?? offer)
      return [{ device, offer: offers.get(text) ?? offer }]
    }),
  }))
}

const assignedNow = oncePer((joined: JoinedHost): AssignedVfs => {
  const layout = pciLayoutNow(joined)
  return layout === null ? [] : readAssigned(joined, layout)
})

/**
 * VFs that serve the entries and have a vGPU type, unless a guest names them or a process has them open. Free inventory in
 * Placement takes precedence.
 */
const freeOn = (joined: JoinedHost, entries: readonly PciAlias[]): number => {
  const isServing = oncePer((offer: PciOffer) => entries.some((alias) => aliasTakes(alias, offer) === true))
  const { guests, deviceHolders } = joined.host.inventory
  const held = new Set([
    ...(guests ?? []).flatMap((guest) => guest.pciDevices.map(({ address }) => address)),
    ...(deviceHolders ?? []).map(({ device }) => device),
  ])
  return assignedNow(joined).reduce((sum, { entry, vfs }) => {
    const serving = vfs.filter(({ offer }) => isServing(offer))
    const classes = new Set(serving.map(({ offer }) => offer.resourceClass))
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

/** Whether a host has free devices that a flavor requests by an alias. */
export const hasFreeAlias = (
  fleet: Fleet,
  host: string,
  { name, count }: { name: string; count: number },
): boolean => {
  const layouts = layoutsOf(fleet)
  const entries = entriesOf(fleet, layouts, name)
  const joined = hostsByName(layouts).get(host)
  return joined !== undefined && freeOn(joined, entries) >= count
}

const offersOf = (joined: JoinedHost, assigned: AssignedVfs) =>
  [...new Set(assigned.flatMap(({ vfs }) => vfs.map(({ offer }) => offer)))].map((offer) => ({
    host: joined.host.name,
    offer,
  }))

/** Flavors that request VFs by an alias, and the hosts that assign its devices, before and after. */
export const aliasFlavorHosts = (fleet: Fleet, changed: Layouts): FlavorHosts[] => {
  if (changed.size === 0) return []
  const before = layoutsOf(fleet)
  const after = new Map([...before, ...changed])
  const offered = groupOffers([...before.keys()].flatMap((joined) => offersOf(joined, assignedNow(joined))))
  const offeredAfter = groupOffers(
    [...after].flatMap(([joined, layout]) =>
      offersOf(joined, changed.has(joined) ? readAssigned(joined, layout) : assignedNow(joined)),
    ),
  )
  return aliasFlavors(fleet, (name) => ({
    before: countOfferingHosts(offered, entriesOf(fleet, before, name)),
    after: countOfferingHosts(offeredAfter, entriesOf(fleet, after, name)),
  }))
}
