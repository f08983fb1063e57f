import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { collectGuests } from '../collect/guests'
import { collectMdevs } from '../collect/mdevs'
import { findNovaFiles } from '../collect/nova-files'
import type { CommandHost } from './command-host'
import { Refusal } from './refusal'

/** All guests, live and persistent. Refuses while any of their XML can't be read: it could name what is to be touched. */
const allGuests = (host: CommandHost): Guest[] => {
  const { files, problems } = host.look()
  const guests = collectGuests({ files, problems, folders: host.guestXml, memory: new Map() })
  const [problem] = problems.list()
  if (guests === null || problem !== undefined)
    throw new Refusal(
      `Not all guests of this host could be read, so nobody knows what they hold: ${problem?.message ?? 'no guest XML was found.'}`,
    )
  return guests
}

const where = ({ isLive, isPersistent }: { isLive: boolean; isPersistent: boolean }): string =>
  isLive && isPersistent ? 'live and persistent' : isLive ? 'live' : 'persistent'

/** Refuses an mdev that a guest names, running or shut off. */
export const refuseHeldMdev = (host: CommandHost, uuid: string): void => {
  for (const guest of allGuests(host)) {
    const held = guest.mdevs.find((mdev) => mdev.uuid === uuid)
    if (held !== undefined)
      throw new Refusal(
        `mdev ${uuid} is attached to the guest ${guest.name} (${guest.uuid}) in its ${where(held)} XML.`,
      )
  }
}

/** Refuses PCI devices that a guest names. */
export const refuseHeldDevices = (host: CommandHost, addresses: readonly string[]): void => {
  for (const guest of allGuests(host)) {
    const held = guest.pciDevices.find(({ address }) => addresses.includes(address))
    if (held !== undefined)
      throw new Refusal(
        `${held.address} is attached to the guest ${guest.name} (${guest.uuid}) in its ${where(held)} XML.`,
      )
  }
}

/** The folder itself: whether anything is defined can't be told, as in a container that is out of sight. */
const hidesDefinitions = (source: string): boolean => source.endsWith('/etc/mdevctl.d')

/** All mdevs, active and defined. Refuses when sysfs does not tell, or when something about `uuid` can't be read. */
export const allMdevs = (host: CommandHost, uuid = ''): Mdev[] => {
  const { files, problems } = host.look()
  const deployment = findNovaFiles(files, undefined)?.deployment ?? null
  const mdevs = collectMdevs({ files, problems, deployment })
  // A type whose folder is gone is dangling and still the type.
  const blind = problems
    .list()
    .find(({ code, source }) => code !== 'dangling' && (source.includes(uuid) || hidesDefinitions(source)))
  if (mdevs === null || blind !== undefined)
    throw new Refusal(
      `The mdevs of this host could not be read: ${blind?.message ?? 'sysfs has no mdev bus.'}`,
    )
  return mdevs
}
