import { aliasMeaning, aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type AliasView, aliasView, gapFor, isAboutGpus } from './alias-view'
import { type Detected, type FleetDetector, makeFinding } from './detector'

const CODE = 'alias-without-device'

type AliasLocation = { alias: PciAlias; host: string; seenAt: string }

const locationsOf = ({ ofComputes, api }: AliasView): AliasLocation[] => [
  ...api.hosts.flatMap(({ host, aliases, seenAt }) => aliases.map((alias) => ({ alias, host, seenAt }))),
  ...ofComputes.map(({ joined, alias }) => ({
    alias,
    host: joined.host.name,
    seenAt: joined.host.seenAt,
  })),
]

/** Cards with the alias's ids that `device_spec` does not list, or lists as another kind. */
const nearMiss = (view: AliasView, alias: PciAlias): string | null => {
  const kinds = view.devices
    .filter(({ offer }) => aliasTakes(alias, { ...offer, deviceType: null }) === null)
    .map(({ offer }) => offer.deviceType)
  const [kind] = kinds
  if (kind != null) return `the cards with these ids are ${kind}`
  const id = `${alias.vendor_id?.toLowerCase()}:${alias.product_id?.toLowerCase()}`
  return view.knownIds.has(id) ? 'no device_spec assigns the cards with these ids' : null
}

const found = (view: AliasView, name: string, locations: readonly AliasLocation[]): Detected => {
  const [first] = locations
  const near = first === undefined ? null : nearMiss(view, first.alias)
  const hosts = [...new Set(locations.map(({ host }) => host))]
  return makeFinding({
    code: CODE,
    severity: 'warning',
    subject: { kind: 'cloud' },
    part: name,
    sentence: `the PCI alias ${name} matches no device of any host${near === null ? '' : `: ${near}`}`,
    consequence: 'Every server of a flavor that requests the alias ends in NoValidHost.',
    nextStep:
      'Correct the ids or device_type, assign a card with [pci] device_spec on a host, or remove the alias.',
    command: null,
    sourceToCorrect: 'nova.conf',
    evidence: locations.slice(0, 4).map(({ alias, host, seenAt }) => ({
      source: 'nova.conf' as const,
      reported: `${host} ${alias.source}: ${aliasMeaning(alias)}${host === hosts[0] && hosts.length > 4 ? `; ${formatNoun(hosts.length, 'host')} have it: ${listText(hosts)}` : ''}`,
      at: seenAt,
    })),
  })
}

/** An alias for GPUs that matches no function of any host; reported only if every host with such a card reports. */
export const aliasWithoutDevice: FleetDetector = {
  code: CODE,
  title: 'A PCI alias matches no device',
  reference: {
    severities: ['warning'],
    sources: ['nova.conf'],
    detection:
      'nova.conf and sysfs: no function that a device_spec assigns has the ids and the device_type of the alias.',
    consequence: 'Every server of a flavor that requests the alias ends in NoValidHost.',
    nextStep: 'Correct the ids or device_type, add a device_spec, or remove the alias.',
  },
  needs: [],
  detect: (fleet) => {
    const view = aliasView(fleet)
    const locations = locationsOf(view).filter(({ alias }) => isAboutGpus(view, alias))
    const names = [...new Set(locations.map(({ alias }) => alias.name))].toSorted()
    const empty = names.filter((name) =>
      locations
        .filter(({ alias }) => alias.name === name)
        .every(({ alias }) => view.devices.every(({ offer }) => aliasTakes(alias, offer) === false)),
    )
    const judged = empty.map((name) => {
      const own = locations.filter(({ alias }) => alias.name === name)
      const because = gapFor(
        view,
        own.map(({ alias }) => alias),
      )
      return { name, own, because }
    })
    const gap = judged.find(({ because }) => because !== null)?.because
    return [
      ...judged.flatMap(({ name, own, because }) => (because === null ? [found(view, name, own)] : [])),
      ...(gap == null ? [] : [{ code: CODE, scope: { kind: 'cloud' as const }, because: gap }]),
    ]
  },
}
