import * as z from 'zod'
import { offerOfSpec, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import { type PciFunction, rawPciEntries, rawSpec, specFinder } from '@/lib/domain/nova-config/device-spec'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import { vfsOfCard } from '@/lib/domain/nova-config/listed-functions'
import { type PciAlias, toAlias } from '@/lib/domain/nova-config/pci-alias'
import { pciClassText } from '@/lib/domain/nova-config/pci-names'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { jsonText } from '@/lib/util/encode/json'
import { novaConf, novaConfValue } from '@/lib/util/encode/nova-conf'
import { oncePer } from '@/lib/util/once-per'
import { isPciInPlacement } from './expected-providers'
import type { JoinedHost, JoinedPgpu } from './fleet-types'

/** An entry of `[pci] device_spec` or `alias` with the file that holds it. */
const pciEntrySchema = z.object({ file: z.string(), entry: z.record(z.string(), z.unknown()).readonly() })
export type PciEntry = z.infer<typeof pciEntrySchema>

/** What `[pci]` of a host's nova.conf passes through, in its order. */
export const pciLayoutSchema = z.object({
  /** `report_in_placement` is on. */
  isInPlacement: z.boolean(),
  specs: z.array(pciEntrySchema).readonly(),
  aliases: z.array(pciEntrySchema).readonly(),
})
export type PciLayout = z.infer<typeof pciLayoutSchema>

/** The entries of `[pci] device_spec` or `alias` of a nova.conf, in its order; null: no nova.conf. */
export const pciEntriesOf = (config: NovaConfig | null, name: 'device_spec' | 'alias'): PciEntry[] =>
  (config === null ? [] : effectiveOptions(config)).flatMap(({ option, present }) =>
    present.section === 'pci' && present.name === name
      ? rawPciEntries(option.value).map((entry) => ({ file: option.file, entry }))
      : [],
  )

/** The `[pci]` options in the host's nova.conf; null: it could not be read whole. */
export const pciLayoutNow = oncePer((joined: JoinedHost): PciLayout | null => {
  const isInPlacement = isPciInPlacement(joined)
  if (joined.nova === null || joined.nova.gap !== null || isInPlacement === null) return null
  const { novaConfig } = joined.host.inventory
  return {
    isInPlacement,
    specs: pciEntriesOf(novaConfig, 'device_spec'),
    aliases: pciEntriesOf(novaConfig, 'alias'),
  }
})

/** The functions of a pGPU as `device_spec` is matched against them. */
export const pciFunctionsOf = oncePer(({ pgpu }: JoinedPgpu): PciFunction[] => vfsOfCard(pgpu))

const finderOf = oncePer(({ specs }: PciLayout) => specFinder(specs, ({ entry }) => rawSpec(entry)))

/** The first entry that assigns a function, as Nova takes it. */
export const specFor = (layout: PciLayout, device: PciFunction): PciEntry | null => finderOf(layout)(device)

/** The keys of an entry of `device_spec` that aliases are compared with. */
export const specOfEntry = ({ entry }: PciEntry): Parameters<typeof offerOfSpec>[0] => {
  const { resource_class: resourceClass, traits, live_migratable, one_time_use } = entry
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return { resource_class: text(resourceClass), traits: text(traits), live_migratable, one_time_use }
}

/** A VF as a layout offers it to aliases; null: the layout does not assign it. */
export const offerOfFunction = (
  joined: JoinedHost,
  layout: PciLayout,
  device: PciFunction,
): PciOffer | null => {
  const found = specFor(layout, device)
  if (found === null) return null
  return offerOfSpec(
    specOfEntry(found),
    { vendorId: device.vendorId, productId: device.deviceId, deviceType: 'type-VF' },
    {
      range: joined.nova?.range ?? null,
      scheduling: joined.pciScheduling,
      isReported: layout.isInPlacement,
    },
  )
}

/** The resource class that an entry gives its devices; null: it names none. */
export const classOfEntry = ({ entry }: PciEntry): string | null =>
  typeof entry.resource_class === 'string' ? pciClassText(entry.resource_class) : null

/** An entry of `alias` with the keys that are matched; empty: it does not have the form of one. */
export const aliasOfEntry = oncePer(({ entry, file }: PciEntry): PciAlias[] => {
  const alias = toAlias(entry, file)
  return alias === null ? [] : [alias]
})

const WHICH = new Set(['address', 'vendor_id', 'product_id', 'devname'])

/** Equal for entries with the same keys and values in any order. */
export const entryKey = (entry: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** What a layout sets for a function, in comparable form; null: it is not offered for passthrough. */
const wordsFor = (layout: PciLayout, device: PciFunction): string | null => {
  const found = specFor(layout, device)
  return found === null
    ? null
    : entryKey(Object.fromEntries(Object.entries(found.entry).filter(([key]) => !WHICH.has(key))))
}

/** The card itself, which may be offered as it is, and its VFs if it has any. */
const devicesOf = (entry: JoinedPgpu): PciFunction[] => {
  const { address, vendorId, deviceId, framework } = entry.pgpu
  return [
    { address, parentAddress: null, vendorId, deviceId },
    ...(framework === 'vendor-vfio' ? pciFunctionsOf(entry) : []),
  ]
}

/** Whether `now` offers the same devices as `wanted`, in any notation; additional aliases do not matter. */
export const isSamePci = (joined: JoinedHost, now: PciLayout, wanted: PciLayout): boolean => {
  const devices = joined.pgpus.flatMap(devicesOf)
  const aliases = new Set(now.aliases.map(({ entry }) => entryKey(entry)))
  return (
    now.isInPlacement === wanted.isInPlacement &&
    devices.every((device) => wordsFor(now, device) === wordsFor(wanted, device)) &&
    wanted.aliases.every(({ entry }) => aliases.has(entryKey(entry)))
  )
}

/** An entry as nova.conf has it. */
export const entryText = (entry: Readonly<Record<string, unknown>>): Encoded<'nova-conf'> =>
  novaConfValue(
    `{${Object.entries(entry)
      .map(([key, value]) => `${jsonText(key)}: ${jsonText(value)}`)
      .join(', ')}}`,
  )

const linesOf = ({ isInPlacement, specs, aliases }: PciLayout): Encoded<'nova-conf'>[] => [
  novaConf`[pci]`,
  ...(isInPlacement ? [novaConf`report_in_placement = True`] : []),
  ...specs.map(({ entry }) => novaConf`device_spec = ${entryText(entry)}`),
  ...aliases.map(({ entry }) => novaConf`alias = ${entryText(entry)}`),
]

/** The `[pci]` options of nova.conf, one line each. */
export const pciText = (layout: PciLayout): Encoded<'nova-conf'> => joinEncoded(linesOf(layout), '\n')

/** The file in the drop-in folder that the console writes. */
export const PCI_DROP_IN = '99-sliceboard-pci.conf'

/** Whether the console's own file holds an entry. */
export const isOwnEntry = ({ file }: PciEntry): boolean =>
  file === PCI_DROP_IN || file.endsWith(`/${PCI_DROP_IN}`)

/** Content of the console's own file for a layout; null: the file would be empty. */
export const ownFileText = ({ specs, aliases, isInPlacement }: PciLayout): Encoded<'nova-conf'> | null => {
  const own = { isInPlacement, specs: specs.filter(isOwnEntry), aliases: aliases.filter(isOwnEntry) }
  return own.specs.length + own.aliases.length === 0 ? null : novaConf`${pciText(own)}\n`
}

/**
 * Whether a drop-in can change one layout into the other. Nova adds up these options over all files, so an additional
 * file cannot remove the entries of others.
 */
export const isOwnChange = (before: PciLayout, after: PciLayout): boolean => {
  const left = new Set(after.specs)
  return before.specs.every((spec) => left.has(spec) || isOwnEntry(spec))
}
