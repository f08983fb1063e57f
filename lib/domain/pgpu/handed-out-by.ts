import { aliasTakes, offerOfSpec, type PciOffer, type PciRules } from '@/lib/domain/nova-config/alias-takes'
import { type DeviceSpec, deviceSpecText, matchesDeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { functionsOfCard } from '@/lib/domain/nova-config/listed-functions'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import type { PgpuFacts } from './pgpu-facts'
import type { HandedOutBy } from './types'

/** How libvirt calls a card: one that can have VFs is a PF even while they are off. */
const typeOfCard = ({ sriov }: GpuDevice): PciOffer['deviceType'] => {
  if (sriov === null) return 'type-PCI'
  if (sriov.totalVfs === null) return null
  return sriov.totalVfs > 0 ? 'type-PF' : 'type-PCI'
}

/** A card in passthrough by an entry, in the form that aliases are matched with. */
export const wholeOffer = (
  gpu: GpuDevice,
  spec: Parameters<typeof offerOfSpec>[0],
  rules: PciRules,
): PciOffer =>
  offerOfSpec(spec, { vendorId: gpu.vendorId, productId: gpu.deviceId, deviceType: typeOfCard(gpu) }, rules)

/** The entry of `device_spec` that names a card itself; null: none does. */
export const specOfCard = (
  gpu: Pick<GpuDevice, 'address' | 'vendorId' | 'deviceId'>,
  specs: readonly DeviceSpec[],
): DeviceSpec | null => {
  if (specs.length === 0) return null
  const [own] = functionsOfCard({ ...gpu, virtualFunctions: [] })
  return specs.find((spec) => matchesDeviceSpec(spec, own)) ?? null
}

/**
 * How PCI aliases are scheduled, as far as one host shows it: its report does not have the setting of nova-api, but its own
 * nova.conf usually has the same.
 */
export const hostScheduling = (nova: NovaView): PciRules => ({
  scheduling: nova.isByPlacement ? 'placement' : null,
  isReported: nova.isPciReported,
  range: nova.range,
})

/**
 * The entry that offers a whole card for passthrough, with its aliases; null: none names the card, or nova.conf is
 * unknown.
 */
export const handedOutBy = ({ gpu, nova, framework, units }: PgpuFacts): HandedOutBy | null => {
  if (nova === null || gpu.vendorId === null) return null
  if (framework === 'passthrough' && !units.includes(gpu.address)) return null
  const spec = specOfCard(gpu, nova.deviceSpecs.specs)
  if (spec === null) return null
  const offer = wholeOffer(gpu, spec, hostScheduling(nova))
  const aliases = nova.aliases.filter((alias) => aliasTakes(alias, offer) === true)
  return {
    text: deviceSpecText(spec),
    source: spec.source,
    aliases: aliases.map(({ name, source }) => ({ name, source })),
  }
}
