import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { pciRulesOf } from '@/lib/domain/cloud/handed-out'
import {
  aliasOfEntry,
  classOfEntry,
  PCI_DROP_IN,
  type PciEntry,
  type PciLayout,
  pciFunctionsOf,
  specOfEntry,
} from '@/lib/domain/cloud/pci-layout'
import { aliasTakes, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import { matchesRawEntry, type PciFunction } from '@/lib/domain/nova-config/device-spec'
import { rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { wholeOffer } from '@/lib/domain/pgpu/handed-out-by'

/** A card itself as `device_spec` is matched against it. */
export const cardFunction = ({ pgpu }: JoinedPgpu): PciFunction => ({
  address: pgpu.address,
  parentAddress: null,
  vendorId: pgpu.vendorId,
  deviceId: pgpu.deviceId,
})

const names = (spec: PciEntry, entry: JoinedPgpu): boolean => matchesRawEntry(spec.entry, cardFunction(entry))

/** `NVIDIA Tesla T4` is the alias `t4`; what has no letters left goes by its PCI id. */
const aliasOfModel = ({ pgpu }: JoinedPgpu): string => {
  const words = pgpu.model
    .toLowerCase()
    .replace(/\b(nvidia|amd|intel|tesla|grid|quadro|pcie|sxm\d?)\b/g, ' ')
    .match(/[a-z0-9]+/g)
  return words?.join('-') || `gpu-${pgpu.deviceId ?? 'whole'}`
}

/** A card as an entry of device_spec offers it to aliases; null: the report does not have the card. */
export const offerOf = (joined: JoinedHost, entry: JoinedPgpu, spec: PciEntry): PciOffer | null => {
  const gpu = joined.host.inventory.gpus.find(({ address }) => address === entry.pgpu.address)
  return gpu === undefined ? null : wholeOffer(gpu, specOfEntry(spec), pciRulesOf(joined))
}

/** Aliases that request a card, by a layout. */
export const aliasesFor = (joined: JoinedHost, layout: PciLayout, entry: JoinedPgpu): string[] => {
  const spec = layout.specs.find((one) => names(one, entry))
  const offer = spec === undefined ? null : offerOf(joined, entry, spec)
  if (offer === null) return []
  return [
    ...new Set(
      layout.aliases
        .flatMap(aliasOfEntry)
        .flatMap((alias) => (aliasTakes(alias, offer) === true ? [alias.name] : [])),
    ),
  ]
}

const newSpec = ({ pgpu }: JoinedPgpu): PciEntry => ({
  file: PCI_DROP_IN,
  entry: {
    vendor_id: pgpu.vendorId ?? '10de',
    product_id: pgpu.deviceId ?? '',
    address: pgpu.address,
  },
})

/**
 * A line that names only VFs of this card: it is removed, because Nova refuses a PF together with its VFs
 * (nova/compute/pci_placement_translator.py).
 */
const isOfVfsAlone = (joined: JoinedHost, { entry: written }: PciEntry, entry: JoinedPgpu): boolean =>
  pciFunctionsOf(entry).some((vf) => matchesRawEntry(written, vf)) &&
  !joined.pgpus.some((other) =>
    [cardFunction(other), ...(other === entry ? [] : pciFunctionsOf(other))].some((device) =>
      matchesRawEntry(written, device),
    ),
  )

/** With `pci_in_placement` an alias by ids alone requests the class of the ids, not that of device_spec. */
const classOfAlias = ({ nova }: JoinedHost, spec: PciEntry | undefined): Record<string, string> => {
  const resourceClass = spec === undefined ? null : classOfEntry(spec)
  const isKnown = rangeHas(nova?.range ?? null, 'aliasClassAndTraits') !== false
  return resourceClass !== null && isKnown ? { resource_class: resourceClass } : {}
}

/** The layout that hands a card out whole, under a name that flavors can ask by. */
export const pciWithCard = (
  joined: JoinedHost,
  before: PciLayout,
  { entry, alias }: { entry: JoinedPgpu; alias: string | null },
): PciLayout => {
  const isNamed = before.specs.some((spec) => names(spec, entry))
  const retained = before.specs.filter((spec) => !isOfVfsAlone(joined, spec, entry))
  const specs = isNamed ? retained : [...retained, newSpec(entry)]
  const known = aliasesFor(joined, { ...before, specs }, entry)
  if (alias === null ? known.length > 0 : known.includes(alias)) return { ...before, specs }
  const spec = specs.find((one) => names(one, entry))
  const offer = spec === undefined ? null : offerOf(joined, entry, spec)
  const added: PciEntry = {
    file: PCI_DROP_IN,
    entry: {
      name: alias ?? aliasOfModel(entry),
      vendor_id: entry.pgpu.vendorId ?? '10de',
      product_id: entry.pgpu.deviceId ?? '',
      device_type: offer?.deviceType ?? 'type-PCI',
      ...classOfAlias(joined, spec),
    },
  }
  return { ...before, specs, aliases: [...before.aliases, added] }
}

/** The layout that leaves a card to its driver; a line that names other cards too becomes one line for each of these. */
export const pciWithoutCard = (joined: JoinedHost, before: PciLayout, entry: JoinedPgpu): PciLayout => ({
  ...before,
  specs: before.specs.flatMap((spec): PciEntry[] => {
    if (!names(spec, entry)) return [spec]
    const others = joined.pgpus.filter((other) => other !== entry && names(spec, other))
    return others.map(({ pgpu }) => ({
      file: PCI_DROP_IN,
      entry: { ...spec.entry, address: pgpu.address },
    }))
  }),
})
