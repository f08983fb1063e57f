import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import { restartWouldFail } from '@/lib/domain/findings/cloud/restart-would-fail'
import { providerConfigNow, putBackBy, putBackReason } from '@/lib/domain/nova-config/provider-config-now'
import { readOccupancy } from '@/lib/domain/pgpu/occupants'
import { actorLabel, listText } from '@/lib/domain/wording'
import { malformedReason } from '../malformed/malformed'
import { malformedTypes } from '../malformed/malformed-config'
import { malformedMdevs, malformedProviders } from '../malformed/malformed-devices'
import { type HostLayout, layoutNow } from './host-layout'
import { traitAfter } from './type-traits-after'
import { wantedTypes } from './vfio/wanted-types'

/** A pGPU that another change holds. */
export type HeldPgpu = { host: string; address: string; changeId: number; by: string | null }

/**
 * Findings with which nova-compute does not start (nova/conf/devices.py, nova/virt/libvirt/driver.py
 * _get_supported_vgpu_types).
 */
export const STOPS_NOVA: readonly string[] = [
  'address-duplicate',
  'address-malformed',
  'option-invalid',
  'device-spec-malformed',
]

const serviceReason = ({ service }: JoinedHost): string | null => {
  if (service.value === null) return service.because
  const { host, state, isForcedDown } = service.value
  if (isForcedDown) return `nova-compute of ${host} is forced down: remove the forced-down state first`
  if (state !== 'up')
    return `nova-compute of ${host} is ${state}: it must run, so that servers can be migrated and the result can be checked`
  return null
}

/** A plan writes the types of all pGPUs again. */
const malformedConfig = (joined: JoinedHost): string | null => {
  const found = malformedTypes(joined)
  return found === null ? null : malformedReason(found)
}

const malformedPgpu = (joined: JoinedHost, entry: JoinedPgpu): string | null => {
  const found = malformedMdevs(joined, entry) ?? malformedProviders(entry)
  return found === null ? null : malformedReason(found)
}

const configReason = (fleet: Fleet, joined: JoinedHost): string | null => {
  const stop = joined.host.description.findings.find(({ code }) => STOPS_NOVA.includes(code))
  const restart = restartWouldFail.detect(joined, fleet).find((found) => 'sentence' in found)
  const sentence = stop?.sentence ?? restart?.sentence
  return sentence === undefined ? null : `its nova-compute would not start again: ${sentence}. Fix this first`
}

/** Why no pGPU of a host can be changed now, with the way out; else the content of its nova.conf. */
export const readHost = (
  fleet: Fleet,
  joined: JoinedHost,
): { layout: HostLayout; reason: null } | { layout: null; reason: string } => {
  const { host, root } = joined
  const no = (reason: string) => ({ layout: null, reason })
  if (host.isSilent)
    return no(
      `the agent of ${host.name} has been silent since ${host.seenAt}, so its guests are unknown. Start the agent, then plan again`,
    )
  const gap =
    cloudGap(fleet.input, 'providers') ??
    cloudGap(fleet.input, 'services') ??
    cloudGap(fleet.input, 'servers') ??
    cloudGap(fleet.input, 'allocations')
  if (gap !== null) return no(`${gap}: plan again when it answers`)
  if (host.inventory.guests === null || host.inventory.mdevs === null)
    return no('its guests or mdevs could not be read, so it is unknown what is in use. See its problems')
  const layout = layoutNow(joined)
  if (layout === null)
    return no('its nova.conf could not be read completely, so its other types are unknown. See its problems')
  if (root.value === null) return no(root.because)
  const reason = malformedConfig(joined) ?? serviceReason(joined) ?? configReason(fleet, joined)
  return reason === null ? { layout, reason } : no(reason)
}

const frameworkReason = ({ pgpu }: JoinedPgpu): string | null => {
  if (pgpu.framework === 'mdev' || pgpu.framework === 'mdev-sriov')
    return /^[0-9a-f]{4}:/.test(pgpu.address) ? null : 'the card has no PCI address that nova.conf could list'
  if (pgpu.framework === 'vendor-vfio') return null
  return pgpu.framework === 'passthrough'
    ? 'the card is configured for PCI passthrough: bind it to its driver first'
    : 'its driver provides no vGPUs: see the findings of the card'
}

/** Guests without a Nova server, and allocations without a guest: the console cannot drain them. */
export const holderReason = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu) => {
  const { pgpu, functions, providers } = entry
  const malformed = malformedPgpu(joined, entry)
  if (malformed !== null) return malformed
  const parents = new Map((joined.host.inventory.mdevs ?? []).map(({ uuid, parent }) => [uuid, parent]))
  const guests = (joined.host.inventory.guests ?? []).filter(
    ({ mdevs, pciDevices }) =>
      mdevs.some(({ uuid }) => functions.includes(parents.get(uuid) ?? '')) ||
      pciDevices.some(({ address }) => functions.includes(address)),
  )
  const foreign = guests.filter(({ uuid }) => !fleet.servers.has(uuid))
  if (foreign.length > 0)
    return `${listText(foreign.map(({ name }) => name))} on ${pgpu.address} is not a server of Nova: shut it down and remove the vGPU from its XML`
  const { byOthers } = readOccupancy(joined.host.inventory)
  for (const [device, { occupant, source }] of byOthers) {
    const isHere = functions.includes(device) || functions.includes(parents.get(device) ?? '')
    if (
      isHere &&
      !guests.some(({ uuid, name }) => uuid === occupant.guestUuid || name === occupant.guestName)
    )
      return `${occupant.guestName} on ${pgpu.address} uses ${device}, as ${source} shows, and libvirt does not list it: stop this guest first`
  }
  const consumers = providers.flatMap(({ provider }) => fleet.allocationsByProvider.get(provider.uuid) ?? [])
  for (const { consumerUuid } of consumers) {
    if (fleet.servers.has(consumerUuid)) continue
    const migration = fleet.migrations.get(consumerUuid)
    return migration === undefined
      ? `Placement has an allocation of ${consumerUuid}, which is neither a server nor a migration: delete the allocation, see the findings`
      : `server ${migration.serverUuid} is being migrated and still holds a vGPU: wait until the migration is confirmed or reverted`
  }
  return null
}

const offerReason = ({ pgpu }: JoinedPgpu, typeId: string): string | null => {
  if (pgpu.supportedTypes === null) return 'the types that its driver offers could not be read'
  const types = wantedTypes(pgpu)
  const type = types.find((entry) => entry.typeId === typeId)
  if (type === undefined && pgpu.framework === 'vendor-vfio' && pgpu.isMigBacked)
    return `its GPU instances hold no ${typeId}: first empty the card and create instances for that type with nvidia-smi mig`
  if (type === undefined)
    return `its driver does not offer ${typeId}: it has ${listText(types.map(({ shortName }) => shortName))}`
  if (type.maxInstance === null)
    return `its driver does not report how many ${type.shortName} fit, so the result could not be checked`
  if (type.isMigBacked && type.creatable === 0 && pgpu.numbers.used.value === 0)
    return `${type.shortName} requires a GPU instance, and the card has none for it: first create them with nvidia-smi mig`
  return null
}

/** nova.conf is one for the host, so one change at a time. */
export const heldReason = (joined: JoinedHost, held: readonly HeldPgpu[]): string | null => {
  const holder = held.find(({ host }) => host === joined.host.name)
  return holder === undefined
    ? null
    : `${holder.host} ${holder.address} is held by change ${holder.changeId}${holder.by === null ? '' : ` of ${actorLabel(holder.by)}`}, and nova.conf applies to the whole host: wait until that change has ended`
}

/** Provider config would set the old type's trait on the provider that Nova creates for the new type. */
const restoredByNova = (
  joined: JoinedHost,
  { entry, typeId, rule }: { entry: JoinedPgpu; typeId: string; rule: string },
): string | null => {
  const { now } = providerConfigNow(joined.host.inventory.novaConfig)
  const to = entry.pgpu.supportedTypes?.find((type) => type.typeId === typeId)
  const hypervisorHostname = joined.root.value?.name
  if (now === null || to === undefined || hypervisorHostname === undefined) return null
  const uuids = new Map(entry.providers.map(({ provider }) => [provider.name, provider.uuid]))
  const names = entry.functions.map((address) => mdevProviderName({ hypervisorHostname, address }))
  const back = putBackBy(now, {
    providers: names.map((name) => ({ name, uuid: uuids.get(name) ?? null })),
    isMeant: (trait) => {
      const next = traitAfter(trait, entry, { to, rule })
      return next !== null && next !== trait
    },
  })
  return back === null ? null : putBackReason(back)
}

/** Why one pGPU can't get a type, with the way out; null when it can. `rule`: how the operator names traits. */
export const refusePgpu = (
  fleet: Fleet,
  joined: JoinedHost,
  {
    entry,
    typeId,
    rule,
    held,
  }: { entry: JoinedPgpu; typeId: string; rule: string; held: readonly HeldPgpu[] },
): string | null => {
  return (
    heldReason(joined, held) ??
    frameworkReason(entry) ??
    offerReason(entry, typeId) ??
    holderReason(fleet, joined, entry) ??
    restoredByNova(joined, { entry, typeId, rule })
  )
}
