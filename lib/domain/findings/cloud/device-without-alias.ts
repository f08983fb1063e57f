import type { HandedOut } from '@/lib/domain/cloud/handed-out'
import { entryText } from '@/lib/domain/cloud/pci-layout'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { formatNoun } from '@/lib/util/format'
import { type AliasView, aliasView } from './alias-view'
import { type Detected, type FleetDetector, hostReports, makeFinding } from './detector'

const CODE = 'device-without-alias'

/** A name that no alias has yet: Nova refuses entries of one name with different device types. */
const freeName = ({ ofComputes, api }: AliasView, { offer }: HandedOut): string => {
  const aliases = [...ofComputes.map(({ alias }) => alias), ...api.hosts.flatMap((host) => host.aliases)]
  const taken = new Set(aliases.map(({ name }) => name))
  const names = ['gpu', `gpu-${offer.productId}`, `gpu-${offer.productId}-${offer.deviceType}`]
  return names.find((name) => !taken.has(name)) ?? `${names.at(-1)}-${taken.size}`
}

const wanted = (view: AliasView, device: HandedOut): Encoded<'nova-conf'> => {
  const { offer } = device
  return novaConf`[pci]\nalias = ${entryText({
    name: freeName(view, device),
    vendor_id: offer.vendorId ?? '',
    product_id: offer.productId ?? '',
    device_type: offer.deviceType ?? 'type-PCI',
  })}`
}

/** Aliases that nearly fit: those of the card's ids that ask for another kind of function. */
const nearMiss = ({ offer }: HandedOut, aliases: readonly PciAlias[]): string[] => [
  ...new Set(
    aliases
      .filter((alias) => aliasTakes(alias, { ...offer, deviceType: null }) === null)
      .filter((alias) => aliasTakes(alias, offer) === false)
      .map(({ name }) => name),
  ),
]

const found = (view: AliasView, device: HandedOut, aliases: readonly PciAlias[]): Detected => {
  const { joined, pgpu, source, offer } = device
  const near = nearMiss(device, aliases)
  const of = view.api.because === null ? "of Nova's API" : 'of the hosts'
  return makeFinding({
    code: CODE,
    severity: 'warning',
    subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
    sentence:
      near.length > 0
        ? `no alias matches the card: ${listText(near)} ${near.length === 1 ? 'requests' : 'request'} another device type than ${offer.deviceType ?? 'its own'}`
        : 'device_spec assigns the card, and no alias matches it',
    consequence: 'No flavor can request the card, so it stays idle.',
    nextStep:
      near.length > 0
        ? `Set "device_type": "${offer.deviceType ?? 'type-PCI'}" in the alias on this host and on the hosts of Nova's API, then restart their Nova services.`
        : `Add an alias for the card to [pci] on this host and on the hosts of Nova's API, then restart their Nova services.`,
    command: offer.productId === null ? null : wanted(view, device),
    sourceToCorrect: 'nova.conf',
    evidence: [
      hostReports(joined, 'nova.conf', `${source} assigns ${device.address}`),
      hostReports(
        joined,
        'hardware',
        `${offer.vendorId}:${offer.productId ?? '?'}, ${offer.deviceType ?? 'unknown kind'}`,
      ),
      ...view.api.hosts.map(({ host, aliases: own, seenAt }) => ({
        source: 'nova.conf' as const,
        reported: `${host}: ${formatNoun(own.length, 'alias', 'aliases')}, none matches it`,
        at: seenAt,
      })),
      ...(view.api.because === null
        ? []
        : [hostReports(joined, 'nova.conf', `none of the aliases ${of} matches it`)]),
    ],
  })
}

/** A pGPU that `device_spec` assigns and that no alias matches, where the aliases are known. */
export const deviceWithoutAlias: FleetDetector = {
  code: CODE,
  title: 'device_spec assigns a card and no PCI alias matches it',
  reference: {
    severities: ['warning'],
    sources: ['nova.conf'],
    detection: 'nova.conf and sysfs: a device_spec assigns a pGPU, and no known alias matches it.',
    consequence: 'No flavor can request the card.',
    nextStep: "Write an alias for the card on the compute host and on Nova's API hosts, and restart both.",
  },
  needs: [],
  detect: (fleet) => {
    const view = aliasView(fleet)
    const { api } = view
    const ofComputes = view.ofComputes.map(({ alias }) => alias)
    const seen = new Set<string>()
    return view.devices.flatMap((device): Detected[] => {
      const { host } = device.joined
      const scope = { kind: 'pgpu' as const, host: host.name, address: device.pgpu.address }
      const key = `${host.name} ${scope.address}`
      if (seen.has(key)) return []
      const ofApi = api.hosts.flatMap(({ aliases }) => aliases)
      const aliases = api.because === null ? ofApi : [...ofApi, ...ofComputes]
      if (aliases.some((alias) => aliasTakes(alias, device.offer) !== false)) return []
      // With an alias on this host alone the API lacks it, and that is another finding.
      const own = ofComputes.some((alias) => aliasTakes(alias, device.offer) !== false)
      if (own) return []
      seen.add(key)
      if (api.because !== null) return [{ code: CODE, scope, because: api.because }]
      return [found(view, device, aliases)]
    })
  },
}
