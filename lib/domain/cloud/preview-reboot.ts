import { assignedType } from '@/lib/domain/nova-config/assign-types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import type { Fleet, JoinedHost } from './fleet-types'
import { nameOccupant } from './occupants'

/** What becomes of one server's vGPUs when its host reboots. */
type RebootFate = {
  guestUuid: string
  guestName: string
  serverName: string | null
  projectName: string | null
  pgpuAddresses: readonly string[]
  /** `returns`: its devices are there again; `lost`: it can't start as it is; `unknown`: can't tell. */
  fate: 'returns' | 'lost' | 'unknown'
  because: string
  /** A hard reboot through Nova would give it a new vGPU; only flavors with literally `resources:VGPU` (reference 1.6). */
  isHealedByHardReboot: boolean
}

/** What a reboot of a host would do. */
type RebootPreview = {
  servers: readonly RebootFate[]
  /** Cards whose VFs something has to enable at every boot before any vGPU exists; the agent can't see what does. */
  cardsThatNeedVfs: readonly string[]
}

type Device = { fate: RebootFate['fate']; because: string }

/** Nova makes attached mdevs anew at its start up to 2025.1; 2025.2 dropped it. Both offer compute API 2.100. */
const recreatesAssigned = (version: string | null): boolean | null => {
  const match = /^2\.(\d+)$/.exec(version ?? '')
  if (match === null || match[1] === '100') return null
  return Number(match[1]) < 100
}

/** Definitions that start first and take the card for another size. */
const rivalsOf = (joined: JoinedHost, pgpu: Pgpu, mdev: Mdev): Mdev[] => {
  const sizes = new Map(pgpu.supportedTypes?.map((type) => [type.typeId, type.framebufferMib]))
  const own = sizes.get(mdev.typeId ?? '') ?? null
  const functions = new Set([pgpu.address, ...pgpu.virtualFunctions.map((vf) => vf.address)])
  return (joined.host.inventory.mdevs ?? []).filter(({ uuid, parent, definition }) => {
    const size = sizes.get(definition?.typeId ?? '') ?? null
    return (
      uuid !== mdev.uuid &&
      functions.has(parent) &&
      definition?.start === 'auto' &&
      own !== null &&
      size !== null &&
      size !== own
    )
  })
}

const mdevFate = (fleet: Fleet, joined: JoinedHost, uuid: string): Device => {
  const mdev = joined.host.inventory.mdevs?.find((entry) => entry.uuid === uuid)
  if (mdev === undefined) return { fate: 'lost', because: `its mdev ${uuid} does not exist even now` }
  const pgpu = joined.pgpus.find(({ functions }) => functions.includes(mdev.parent))?.pgpu
  const rivals = pgpu === undefined ? [] : rivalsOf(joined, pgpu, mdev)
  if (rivals.length > 0)
    return {
      fate: 'lost',
      because: `${rivals.length === 1 ? 'an mdev' : `${rivals.length} mdevs`} of another size ${rivals.length === 1 ? 'is' : 'are'} defined with autostart on the same card`,
    }
  if (mdev.definition?.start === 'auto')
    return { fate: 'returns', because: 'its mdev is defined with autostart' }
  if (mdev.definition !== null)
    return {
      fate: 'returns',
      because: 'its mdev is defined, and nova-compute starts defined mdevs (2024.2 and newer)',
    }
  const assigned = joined.nova === null ? null : assignedType(joined.nova.assignment, mdev.parent)
  const recreates = recreatesAssigned(fleet.input.facts.versions.nova)
  if (recreates === null)
    return {
      fate: 'unknown',
      because: "its mdev is not defined, and Nova's release does not tell whether it is made anew",
    }
  if (!recreates)
    return {
      fate: 'lost',
      because: 'its mdev is not defined, and this release of Nova does not make it anew',
    }
  return assigned?.typeId === mdev.typeId
    ? { fate: 'returns', because: 'nova-compute makes attached mdevs anew at its start' }
    : { fate: 'unknown', because: 'its mdev is not defined and of a type that nova.conf no longer names' }
}

const pciFate = (joined: JoinedHost, address: string): Device | null => {
  const pgpu = joined.pgpus.find(({ functions }) => functions.includes(address))?.pgpu
  if (pgpu === undefined) return null
  if (pgpu.framework === 'vendor-vfio')
    return {
      fate: 'unknown',
      because: `the vGPU type of ${address} is not kept over a reboot; what writes it again can not be seen`,
    }
  return { fate: 'returns', because: 'the card is handed out whole' }
}

const worst = (devices: readonly Device[]): Device =>
  devices.find(({ fate }) => fate === 'lost') ??
  devices.find(({ fate }) => fate === 'unknown') ??
  devices[0] ?? { fate: 'returns', because: 'it holds no vGPU' }

const fatesOf = (fleet: Fleet, joined: JoinedHost, guests: readonly Guest[]): RebootFate[] =>
  guests.flatMap((guest): RebootFate[] => {
    const described = joined.host.description.guests?.find((entry) => entry.guestUuid === guest.uuid)
    const devices = [
      ...guest.mdevs.map(({ uuid }) => mdevFate(fleet, joined, uuid)),
      ...guest.pciDevices.map(({ address }) => pciFate(joined, address)).filter((device) => device !== null),
    ]
    if (described === undefined || devices.length === 0) return []
    const { serverName, projectName } = nameOccupant(fleet, described)
    const server = fleet.servers.get(guest.uuid)
    return [
      {
        guestUuid: guest.uuid,
        guestName: guest.name,
        serverName,
        projectName,
        pgpuAddresses: described.pgpuAddresses,
        ...worst(devices),
        isHealedByHardReboot: guest.mdevs.length > 0 && server?.extraSpecs['resources:VGPU'] !== undefined,
      },
    ]
  })

/**
 * Server by server, what would not come back after a reboot of a host. Null when the guests or mdevs could not be read. VFs
 * are taken to be enabled at boot.
 */
export const previewReboot = (fleet: Fleet, joined: JoinedHost): RebootPreview | null => {
  const { guests, mdevs } = joined.host.inventory
  if (guests === null || mdevs === null) return null
  return {
    servers: fatesOf(fleet, joined, guests),
    cardsThatNeedVfs: joined.pgpus
      .filter(({ pgpu }) => pgpu.virtualFunctions.length > 0)
      .map(({ pgpu }) => pgpu.address),
  }
}

/** The servers of a preview that do not come back, as a short text. */
export const lostText = (fates: readonly RebootFate[]): string =>
  listText(
    fates.filter(({ fate }) => fate === 'lost').map(({ serverName, guestName }) => serverName ?? guestName),
  )
