import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  entryKey,
  entryText,
  type PciEntry,
  type PciLayout,
  pciEntriesOf,
} from '@/lib/domain/cloud/pci-layout'
import { novaRange, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { aliasFaults } from '@/lib/domain/nova-config/pci-alias-rules'
import { pciFlag } from '@/lib/domain/nova-config/pci-flags'

const jsonOf = (entries: readonly PciEntry[]): unknown[] => entries.map(({ entry }) => entry)

const faultText = (entry: unknown, name: string | null, because: string): string =>
  `the alias ${name ?? JSON.stringify(entry)}: ${because}`

/** Why nova-compute of a host would refuse the aliases of a layout; null: it accepts them. */
const onCompute = ({ nova, host }: JoinedHost, before: PciLayout, after: PciLayout): string | null => {
  if (nova === null) return null
  const { range, isByPlacement } = nova
  const entries = jsonOf(after.aliases)
  const old = new Set(before.aliases.map(({ entry }) => entryText(entry)))
  const isChecked = rangeHas(range, 'aliasCheckAtStart') !== false
  const fault = aliasFaults(entries, { range, isByPlacement }).find(({ index }) => {
    const alias = after.aliases[index]
    return isChecked || (alias !== undefined && !old.has(entryText(alias.entry)))
  })
  return fault === undefined
    ? null
    : `nova-compute of ${host.name} would not start: ${faultText(entries[fault.index], fault.name, fault.because)}. Correct its nova.conf first`
}

/** Why Nova's API would refuse its aliases once these are added; null: it accepts them, or none of it is known. */
const onApi = (fleet: Fleet, added: readonly PciEntry[]): string | null => {
  const range = novaRange(fleet.input.facts.versions.nova)
  for (const { host } of fleet.hosts) {
    const config = host.inventory.host.novaApi ?? null
    if (config === null) continue
    const own = pciEntriesOf(config, 'alias')
    const known = new Set(own.map(({ entry }) => entryKey(entry)))
    const entries = jsonOf([...own, ...added.filter(({ entry }) => !known.has(entryKey(entry)))])
    const fault = aliasFaults(entries, { range, isByPlacement: pciFlag(config, 'schedule', range) }).find(
      ({ index }) => index >= own.length,
    )
    if (fault !== undefined)
      return `Nova's API on ${host.name} would refuse every alias: ${faultText(entries[fault.index], fault.name, fault.because)}. Rename its alias first`
  }
  return null
}

/** Why the aliases of a plan must not be written; null: Nova accepts them on the host and on its API. */
export const whyNotAliases = (
  fleet: Fleet,
  joined: JoinedHost,
  { before, after }: { before: PciLayout; after: PciLayout },
): string | null => {
  const old = new Set(before.aliases.map(({ entry }) => entryText(entry)))
  const added = after.aliases.filter(({ entry }) => !old.has(entryText(entry)))
  return onCompute(joined, before, after) ?? (added.length === 0 ? null : onApi(fleet, added))
}
