import { assignedType } from '@/lib/domain/nova-config/assign-types'
import { definitionsGap } from '@/lib/domain/pgpu/definitions-gap'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { oncePer } from '@/lib/util/once-per'
import type { Fleet, JoinedHost } from './fleet-types'
import { hostRange } from './host-range'
import { type DeviceFate, mdevFate, pciFate } from './mdev-fate'
import { type MdevStart, mdevStart } from './mdev-start'
import { nameOccupant } from './occupants'
import { RESUME_OPTION, resumesGuests } from './resumes-guests'

/** The state of one server's vGPUs after a reboot of its host. */
export type RebootFate = Omit<DeviceFate, 'isFatal'> & {
  guestUuid: string
  guestName: string
  serverName: string | null
  projectName: string | null
  pgpuAddresses: readonly string[]
  mdevUuids: readonly string[]
  /** Instead of the advice, a cold migration after the reboot gives the server new mdevs. */
  canMigrate: boolean
  /** nova-compute starts it again after the reboot; null: not known, or the server does not run now. */
  isRestarted: boolean | null
}

/** An unused mdev that is recreated at boot although nova.conf names another type for its parent. */
type UnwantedMdev = {
  uuid: string
  parent: string
  pgpuAddress: string | null
  typeName: string
  because: string
  command: Encoded<'shell'>
}

/** Whether nova-compute would start; `isStarting` null: can't tell. */
type NovaComputeFate = {
  isStarting: boolean | null
  because: string | null
  /** nova-compute exits only because of definitions that this release never creates. */
  isByRelease: boolean
}

/** What a reboot of a host would do. */
export type RebootPreview = {
  novaCompute: NovaComputeFate
  servers: readonly RebootFate[]
  /** Null: nova.conf or the definitions could not be read, so the expected and the recreated mdevs are unknown. */
  unwanted: readonly UnwantedMdev[] | null
  /** Cards whose VFs something has to enable at every boot before any vGPU exists; the agent can't see what does. */
  cardsThatNeedVfs: readonly string[]
}

type Held = { guest: Guest; devices: readonly DeviceFate[] }

const heldBy = (joined: JoinedHost, guests: readonly Guest[], start: MdevStart): Held[] =>
  guests
    .map((guest) => ({
      guest,
      devices: [
        ...guest.mdevs.map(({ uuid }) => mdevFate(joined, { uuid, start })),
        ...guest.pciDevices
          .map(({ address }) => pciFate(joined, address))
          .filter((device) => device !== null),
      ],
    }))
    .filter(({ devices }) => devices.length > 0)

/** Definitions of one card that can't all be started: of a type that it lacks, or of two sizes. */
const unstartable = (joined: JoinedHost): string | null => {
  for (const { pgpu, functions } of joined.pgpus) {
    const types = pgpu.supportedTypes
    const defined = (joined.host.inventory.mdevs ?? []).flatMap(({ parent, definition }) =>
      functions.includes(parent) && definition !== null && definition.typeId !== null
        ? [definition.typeId]
        : [],
    )
    const foreign =
      types === null ? undefined : defined.find((id) => !types.some(({ typeId }) => typeId === id))
    if (foreign !== undefined)
      return `an mdev of ${foreign} is defined on ${pgpu.address}, which does not support it`
    const sizes = new Set(
      defined.map((id) => types?.find(({ typeId }) => typeId === id)?.framebufferMib ?? null),
    )
    if (sizes.size > 1 && !sizes.has(null))
      return `mdevs of ${sizes.size} sizes are defined on ${pgpu.address}`
  }
  return null
}

/** Why the definitions of some card's mdevs are not known; null when all are. */
const hiddenDefinitions = (joined: JoinedHost): string | null =>
  definitionsGap(joined.host.inventory, {
    parents: new Set(
      joined.pgpus.filter(({ pgpu }) => isMdevCard(pgpu)).flatMap(({ functions }) => functions),
    ),
    uuid: null,
  })

const isMdevCard = ({ framework }: Pgpu): boolean => framework === 'mdev' || framework === 'mdev-sriov'

const namesOf = (fleet: Fleet, held: readonly Held[]): string =>
  listText(
    held.map(({ guest }) => fleet.servers.get(guest.uuid)?.name ?? guest.nova?.serverName ?? guest.name),
  )

const novaComputeFate = (
  fleet: Fleet,
  joined: JoinedHost,
  { held, start }: { held: readonly Held[]; start: MdevStart },
): NovaComputeFate => {
  const withFatal = (isFatal: true | null) =>
    held.filter(({ devices }) => devices.some((device) => device.isFatal === isFatal))
  const [fatal, maybe] = [withFatal(true), withFatal(null)]
  if (fatal.length > 0)
    return {
      isStarting: false,
      because: `the mdevs of ${formatNoun(fatal.length, 'server')} would be missing: ${namesOf(fleet, fatal)}`,
      isByRelease: fatal.every(({ devices }) =>
        devices.every((device) => device.isFatal === false || device.isByRelease),
      ),
    }
  const broken = start === 'looks-up' ? null : unstartable(joined)
  if (broken !== null)
    return start === null
      ? {
          isStarting: null,
          because: `${broken}; nova-compute 2024.2 and newer fails to start if it cannot start an mdev`,
          isByRelease: false,
        }
      : {
          isStarting: false,
          because: `${broken}, and nova-compute fails to start if it cannot start an mdev`,
          isByRelease: false,
        }
  const gap = hiddenDefinitions(joined)
  if (gap !== null)
    return { isStarting: null, because: `the defined mdevs are unknown: ${gap}`, isByRelease: false }
  return maybe.length === 0
    ? { isStarting: true, because: null, isByRelease: false }
    : {
        isStarting: null,
        because: `mdevs of ${namesOf(fleet, maybe)} would be missing: up to 2024.1, nova-compute then fails to start, and the API does not distinguish this release from the next`,
        isByRelease: true,
      }
}

const worst = (devices: readonly DeviceFate[]): DeviceFate | undefined =>
  devices.find(({ fate }) => fate === 'lost') ?? devices.find(({ fate }) => fate === 'unknown') ?? devices[0]

/** The devices of a server return, but the server cannot be started without nova-compute. */
const underNovaCompute = (device: DeviceFate, { isStarting, isByRelease }: NovaComputeFate): DeviceFate => {
  if (device.fate !== 'returns' || isStarting === true) return device
  return isStarting === false
    ? { ...device, fate: 'lost', because: `${device.because}, but nova-compute does not start`, isByRelease }
    : { ...device, fate: 'unknown', because: `${device.because}, but nova-compute may not start` }
}

const startedByHand = (uuid: string): Pick<DeviceFate, 'advice' | 'command'> => ({
  advice: `Start the server after the reboot: ${RESUME_OPTION} is off in nova.conf.`,
  command: sh`openstack server start ${shellOperands([uuid])}`,
})

const fateOf = (
  fleet: Fleet,
  joined: JoinedHost,
  { guest, devices }: Held,
  novaCompute: NovaComputeFate,
): RebootFate[] => {
  const described = joined.host.description.guests?.find((entry) => entry.guestUuid === guest.uuid)
  const device = worst(devices)
  if (described === undefined || device === undefined) return []
  const { serverName, projectName } = nameOccupant(fleet, described)
  const { isFatal: _, ...fate } = underNovaCompute(device, novaCompute)
  const server = fleet.servers.get(guest.uuid)
  const mdevUuids = guest.mdevs.map(({ uuid }) => uuid)
  // Where an mdev is missing already, the advice is a migration.
  const isPresent = mdevUuids.every((uuid) => joined.host.inventory.mdevs?.some((mdev) => mdev.uuid === uuid))
  const isRestarted = server?.status === 'ACTIVE' ? resumesGuests(fleet, joined) : null
  return [
    {
      guestUuid: guest.uuid,
      guestName: guest.name,
      serverName,
      projectName,
      pgpuAddresses: described.pgpuAddresses,
      mdevUuids,
      canMigrate:
        fate.fate === 'lost' && novaCompute.isStarting === true && mdevUuids.length > 0 && isPresent,
      ...fate,
      ...(fate.fate === 'returns' && isRestarted === false ? startedByHand(guest.uuid) : {}),
      isRestarted,
    },
  ]
}

const unwantedOf = (joined: JoinedHost, mdevs: readonly Mdev[], start: MdevStart): UnwantedMdev[] | null => {
  const { nova, pgpus, host } = joined
  if (nova === null || hiddenDefinitions(joined) !== null) return null
  const held = new Set((host.inventory.guests ?? []).flatMap((guest) => guest.mdevs.map(({ uuid }) => uuid)))
  return mdevs.flatMap(({ uuid, parent, isActive, definition }) => {
    if (definition === null || definition.typeId === null || held.has(uuid)) return []
    const { typeId } = definition
    const isStarted = definition.start === 'auto' || start === 'starts-defined'
    const wanted = assignedType(nova.assignment, parent)
    if (!isStarted || wanted?.typeId === typeId) return []
    const pgpu = pgpus.find(({ functions }) => functions.includes(parent))?.pgpu
    const nameOf = (id: string) => (pgpu && offeredTypeName(pgpu, id)) ?? id
    return [
      {
        uuid,
        parent,
        pgpuAddress: pgpu?.address ?? null,
        typeName: nameOf(typeId),
        because: `${definition.start === 'auto' ? 'defined with autostart' : 'defined, and nova-compute starts defined mdevs'}; nova.conf names ${wanted === null ? 'no type' : nameOf(wanted.typeId)} for ${parent}`,
        command: isActive
          ? sh`mdevctl undefine --uuid ${shellWord(uuid)}\nmdevctl stop --uuid ${shellWord(uuid)}`
          : sh`mdevctl undefine --uuid ${shellWord(uuid)}`,
      },
    ]
  })
}

const readPreview = (fleet: Fleet, joined: JoinedHost): RebootPreview | null => {
  const { guests, mdevs, host } = joined.host.inventory
  if (guests === null || mdevs === null) return null
  const start = mdevStart({ range: hostRange(fleet, joined), libvirt: host.libvirtVersion })
  const held = heldBy(joined, guests, start)
  const novaCompute = novaComputeFate(fleet, joined, { held, start })
  return {
    novaCompute,
    servers: held.flatMap((entry) => fateOf(fleet, joined, entry, novaCompute)),
    unwanted: unwantedOf(joined, mdevs, start),
    cardsThatNeedVfs: joined.pgpus
      .filter(({ pgpu }) => pgpu.virtualFunctions.length > 0)
      .map(({ pgpu }) => pgpu.address),
  }
}

const previewsOf = oncePer((fleet: Fleet) => oncePer((joined: JoinedHost) => readPreview(fleet, joined)))

/**
 * Server by server, what would be missing after a reboot of a host, and which unexpected mdevs would be recreated. Null
 * if the guests or mdevs could not be read. VFs are assumed to be enabled at boot; scripts that create mdevs at boot are
 * not visible.
 */
export const previewReboot = (fleet: Fleet, joined: JoinedHost): RebootPreview | null =>
  previewsOf(fleet)(joined)

/** The servers of a preview that do not come back, as a short text. */
export const lostText = (fates: readonly RebootFate[]): string =>
  listText(
    fates.filter(({ fate }) => fate === 'lost').map(({ serverName, guestName }) => serverName ?? guestName),
  )
