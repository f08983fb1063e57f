import { type ApiAliases, readApiAliases } from '@/lib/domain/cloud/api-aliases'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { type HandedOut, handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { pciClass, pciClassText } from '@/lib/domain/nova-config/pci-names'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { oncePer } from '@/lib/util/once-per'
import { hostGap } from './host-gaps'

/** An alias and the host whose nova.conf has it. */
export type HostAlias = { joined: JoinedHost; alias: PciAlias }

/** What the aliases and devices of a cloud are, and what of it is not known. */
export type AliasView = {
  devices: readonly HandedOut[]
  ofComputes: readonly HostAlias[]
  api: ApiAliases
  /** Ids of all pGPUs of the cloud, as `10de:1024`. */
  knownIds: ReadonlySet<string>
  /** Classes that any entry of `device_spec` names, of GPUs or of other devices. */
  namedClasses: ReadonlySet<string>
  /** Hosts with pGPUs whose nova.conf is unknown now, and why; without pGPUs: their hardware is unknown. */
  gaps: readonly { pgpus: readonly Pgpu[] | null; because: string }[]
}

const readView = (fleet: Fleet): AliasView => {
  const withGpus = fleet.hosts.filter(({ pgpus }) => pgpus.length > 0)
  const speaking = withGpus.filter((joined) => hostGap(joined, ['nova.conf']) === null)
  const gaps = withGpus.flatMap((joined) => {
    const because = hostGap(joined, ['nova.conf'])
    return because === null ? [] : [{ pgpus: joined.pgpus.map(({ pgpu }) => pgpu), because }]
  })
  const unseen = fleet.unseen.map(({ hypervisorHostname }) => ({
    pgpus: null,
    because: `${hypervisorHostname} has GPUs and no agent`,
  }))
  return {
    devices: speaking.flatMap(handedOutDevices),
    ofComputes: speaking.flatMap((joined) =>
      (joined.nova?.aliases ?? []).map((alias) => ({ joined, alias })),
    ),
    api: readApiAliases(
      fleet.hosts.map(({ host }) => host),
      fleet.input.apiAliases ?? null,
    ),
    knownIds: new Set(
      withGpus.flatMap(({ pgpus }) => pgpus.map(({ pgpu }) => `${pgpu.vendorId}:${pgpu.deviceId}`)),
    ),
    namedClasses: new Set(
      speaking.flatMap(({ nova }) =>
        (nova?.deviceSpecs.specs ?? []).flatMap(
          (spec) =>
            pciClass(spec.resource_class, {
              vendorId: spec.vendor_id?.toLowerCase() ?? null,
              productId: spec.product_id?.toLowerCase() ?? null,
            }) ?? [],
        ),
      ),
    ),
    gaps: [...gaps, ...unseen],
  }
}

/** Devices that `device_spec` assigns, aliases of hosts that report, and those of Nova's API. Four detectors need them in a round. */
export const aliasView = oncePer(readView)

/** Makers of GPUs that make little else; Intel's ids are those of network cards too. */
const GPU_MAKERS = new Set(['10de', '1002'])

/** Whether an alias is about GPUs; other passthrough devices are out of scope. */
export const isAboutGpus = ({ devices, knownIds, namedClasses }: AliasView, alias: PciAlias): boolean => {
  if (devices.some(({ offer }) => aliasTakes(alias, offer) !== false)) return true
  const vendor = alias.vendor_id?.toLowerCase()
  const product = alias.product_id?.toLowerCase()
  if (vendor === undefined && product === undefined)
    return alias.resource_class !== undefined && !namedClasses.has(pciClassText(alias.resource_class))
  if (vendor !== undefined && GPU_MAKERS.has(vendor)) return true
  return knownIds.has(`${vendor}:${product}`)
}

/** Whether a card, in any passthrough configuration, could match an alias; no report has the product id of its VFs. */
const couldBe = (alias: PciAlias, { vendorId, deviceId }: Pgpu): boolean =>
  aliasTakes(alias, {
    vendorId,
    productId: alias.device_type === 'type-VF' ? null : deviceId,
    deviceType: null,
    resourceClass: null,
    traits: null,
    isLiveMigratable: null,
    scheduling: null,
    isReported: null,
  }) !== false

/** Why a host may offer a device that one of these aliases matches; null: none could. */
export const gapFor = ({ gaps }: AliasView, aliases: readonly PciAlias[]): string | null =>
  gaps.find(
    ({ pgpus }) => pgpus === null || pgpus.some((pgpu) => aliases.some((alias) => couldBe(alias, pgpu))),
  )?.because ?? null
