import { assignedType } from '@/lib/domain/nova-config/assign-types'
import { definitionsGap } from '@/lib/domain/pgpu/definitions-gap'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { Mdev } from '@/lib/schemas/agent/inventory'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { JoinedHost } from './fleet-types'
import { findsDefined, type MdevStart } from './mdev-start'

/** The state of one device of a server after a reboot of its host. */
export type DeviceFate = {
  /** `returns`: it is there again; `lost`: it is not; `unknown`: can't tell. */
  fate: 'returns' | 'lost' | 'unknown'
  because: string
  /** What to do before the reboot; null when nothing needs doing. */
  advice: string | null
  command: Encoded<'shell'> | null
  /** nova-compute ends at its start because of it; null: can't tell. */
  isFatal: boolean | null
  /** Nova up to 2024.1 creates no definition, so the release is the cause and not a mistake. */
  isByRelease: boolean
}

const returns = (because: string): DeviceFate => ({
  fate: 'returns',
  because,
  advice: null,
  command: null,
  isFatal: false,
  isByRelease: false,
})

const pgpuOf = (joined: JoinedHost, parent: string): Pgpu | undefined =>
  joined.pgpus.find(({ functions }) => functions.includes(parent))?.pgpu

/** Definitions with autostart of another size on the same card: the first one that starts excludes the others. */
const rivalsOf = (joined: JoinedHost, mdev: Mdev): Mdev[] => {
  const started = (joined.host.inventory.mdevs ?? []).filter(
    ({ uuid, definition }) => uuid !== mdev.uuid && definition?.start === 'auto',
  )
  if (started.length === 0) return []
  const pgpu = pgpuOf(joined, mdev.parent)
  const sizes = new Map(pgpu?.supportedTypes?.map((type) => [type.typeId, type.framebufferMib]))
  const own = sizes.get(mdev.typeId ?? mdev.definition?.typeId ?? '') ?? null
  const functions = new Set([pgpu?.address, ...(pgpu?.virtualFunctions ?? []).map(({ address }) => address)])
  return started.filter(({ parent, definition }) => {
    const size = sizes.get(definition?.typeId ?? '') ?? null
    return functions.has(parent) && own !== null && size !== null && size !== own
  })
}

const lostToRivals = (rivals: readonly Mdev[]): DeviceFate => ({
  fate: 'lost',
  because: `${formatNoun(rivals.length, 'mdev')} of another size ${rivals.length === 1 ? 'is' : 'are'} defined with autostart on the same card`,
  advice: 'Undefine the mdevs of the other size.',
  command: joinEncoded(
    rivals.map(({ uuid }) => sh`mdevctl undefine --uuid ${shellWord(uuid)}`),
    '\n',
  ),
  isFatal: true,
  isByRelease: false,
})

const setAutostart = ({ uuid, parent, definition }: Mdev): Pick<DeviceFate, 'advice' | 'command'> =>
  definition === null
    ? {
        advice: 'Define its mdev with autostart while it is active.',
        command: sh`mdevctl define --auto --uuid ${shellWord(uuid)}`,
      }
    : {
        advice: 'Enable autostart in its definition.',
        command: sh`mdevctl modify --auto --uuid ${shellWord(uuid)} --parent ${shellWord(parent)}`,
      }

const notDefined = (mdev: Mdev, start: MdevStart): DeviceFate => {
  const common = { ...setAutostart(mdev), fate: 'lost' as const, isByRelease: true }
  if (start === 'looks-up')
    return {
      ...common,
      because: 'its mdev is not defined, and nova-compute fails to start without it',
      isFatal: true,
    }
  if (start === 'starts-defined')
    return {
      ...common,
      because: 'its mdev is not defined, and this release of Nova does not recreate it',
      isFatal: false,
      isByRelease: false,
    }
  return {
    ...common,
    because: 'its mdev is not defined, and no release of Nova recreates it',
    isFatal: null,
  }
}

/** libvirt's own /etc/mdevctl.d was out of the agent's sight. */
const maybeDefined = (gap: string, start: MdevStart): DeviceFate => ({
  fate: 'unknown',
  because: `whether its mdev is defined is unknown: ${gap}`,
  advice: 'Check in libvirt on the host whether it is defined with autostart.',
  command: sh`virsh nodedev-list --cap mdev --all`,
  isFatal: start === 'starts-defined' ? false : null,
  isByRelease: false,
})

const withoutDefinition = (joined: JoinedHost, mdev: Mdev, start: MdevStart): DeviceFate => {
  const gap = definitionsGap(joined.host.inventory, { parents: new Set([mdev.parent]), uuid: mdev.uuid })
  return gap === null ? notDefined(mdev, start) : maybeDefined(gap, start)
}

const definedByHand = (joined: JoinedHost, mdev: Mdev, start: MdevStart): DeviceFate => {
  const common = { ...setAutostart(mdev), isByRelease: false }
  if (start === 'starts-defined')
    return returns('its mdev is defined, and nova-compute starts defined mdevs (2024.2 and newer)')
  const isFound = start === null ? null : findsDefined(joined.host.inventory.host.libvirtVersion)
  if (isFound === null)
    return {
      ...common,
      fate: 'unknown',
      because:
        'its mdev is defined without autostart, and whether nova-compute starts it depends on the releases of Nova and libvirt',
      isFatal: null,
    }
  if (!isFound)
    return {
      ...common,
      fate: 'lost',
      because:
        'its mdev is defined without autostart, and this nova-compute finds only active mdevs and fails to start',
      isFatal: true,
    }
  const assigned = joined.nova === null ? undefined : assignedType(joined.nova.assignment, mdev.parent)
  if (assigned === undefined)
    return { ...common, fate: 'unknown', because: 'nova.conf could not be read', isFatal: null }
  return assigned?.typeId === mdev.definition?.typeId
    ? returns('its mdev is defined, and nova-compute recreates attached mdevs')
    : {
        ...common,
        fate: 'lost',
        because: 'nova.conf no longer names the type of its mdev, and nova-compute fails to start',
        isFatal: true,
      }
}

/** The state of an attached mdev after a reboot. The host's mdevs must have been read. */
export const mdevFate = (
  joined: JoinedHost,
  { uuid, start }: { uuid: string; start: MdevStart },
): DeviceFate => {
  const mdev = joined.host.inventory.mdevs?.find((entry) => entry.uuid === uuid)
  if (mdev === undefined)
    return {
      fate: 'lost',
      because: `its mdev ${uuid} does not exist`,
      advice: 'Cold migrate the server.',
      command: null,
      isFatal: start === null ? null : start === 'looks-up',
      isByRelease: false,
    }
  const rivals = rivalsOf(joined, mdev)
  if (rivals.length > 0) return lostToRivals(rivals)
  if (mdev.definition?.start === 'auto') return returns('its mdev is defined with autostart')
  return mdev.definition === null
    ? withoutDefinition(joined, mdev, start)
    : definedByHand(joined, mdev, start)
}

/** The state of a server's PCI device after a reboot; null if it is no GPU. */
export const pciFate = (joined: JoinedHost, address: string): DeviceFate | null => {
  const pgpu = pgpuOf(joined, address)
  if (pgpu === undefined) return null
  if (pgpu.framework !== 'vendor-vfio') return returns('the card is assigned as a whole')
  const type = pgpu.virtualFunctions.find((vf) => vf.address === address)?.currentType ?? null
  return {
    fate: 'unknown',
    because: `the vGPU type of ${address} is lost at a reboot, and it is unknown what sets it again`,
    advice: 'Set the type at every boot, before the server starts.',
    command:
      type === null
        ? null
        : sh`echo ${type} > ${shellWord(`/sys/bus/pci/devices/${address}/nvidia/current_vgpu_type`)}`,
    isFatal: false,
    isByRelease: false,
  }
}
