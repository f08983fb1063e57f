import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { createCommands } from '../collect/commands'
import { holdersOf } from '../collect/device-holders'
import { collectGuests } from '../collect/guests'
import { collectMdevs } from '../collect/mdevs'
import { findNovaFiles } from '../collect/nova-files'
import { readDriverVgpus, readGpuInstances } from '../collect/nvidia-smi'
import type { SmiGpu } from '../collect/smi-output'
import type { CommandHost } from './command-host'
import { Refusal } from './refusal'

/** All guests, live and persistent. Refuses while any of their XML can't be read: it could name what is to be touched. */
const allGuests = (host: CommandHost): Guest[] => {
  const { files, problems } = host.look()
  const guests = collectGuests({ files, problems, folders: host.guestXml, memory: new Map() })
  const [problem] = problems.list()
  if (guests === null || problem !== undefined)
    throw new Refusal(
      `Not all guests of this host could be read, so it is unknown what they hold: ${problem?.message ?? 'no guest XML was found.'}`,
    )
  return guests
}

const where = ({ isLive, isPersistent }: { isLive: boolean; isPersistent: boolean }): string =>
  isLive && isPersistent ? 'live and persistent' : isLive ? 'live' : 'persistent'

/** Refuses devices that a process of the host uses: guests of Proxmox, LXD or KubeVirt have no XML of libvirt here. */
const refuseUsedByProcess = (host: CommandHost, devices: readonly string[]): void => {
  const [holder] = holdersOf(devices, host.look().files)
  if (holder === undefined) return
  const { device, program, pid, guestName, seenBy } = holder
  const how = seenBy === 'command-line' ? 'by its command line' : 'with its VFIO file open'
  const guest = guestName === null ? '' : ` of the guest ${guestName}`
  throw new Refusal(`${device} is in use by ${program} (process ${pid})${guest}, ${how}.`)
}

/** nvidia-smi's output of this moment. */
const smiInput = (host: CommandHost) => {
  const { files, problems } = host.look()
  return { files, problems, commands: createCommands({ files, problems, memory: new Map() }) }
}

/** The GPU with its GPU instances; undefined where nvidia-smi does not report it. */
export const findGpu = async (host: CommandHost, address: string): Promise<SmiGpu | undefined> =>
  (await readGpuInstances(smiInput(host)))?.find((gpu) => gpu.address === address)

type SmiVgpu = SmiGpu['vgpus'][number]

const nameOf = ({ guestName, guestUuid, vgpuId }: SmiVgpu): string =>
  guestName ?? guestUuid ?? `vGPU ${vgpuId}`

/**
 * Refuses an mdev that NVIDIA's driver reports as used, or that may be the one which the driver reports without an mdev's uuid
 * and for no guest of libvirt. Where nvidia-smi does not answer, the guests and processes alone decide.
 */
export const refuseDriverUse = async (
  host: CommandHost,
  { uuid, card }: { uuid: string; card: string },
): Promise<void> => {
  const gpus = await readDriverVgpus(smiInput(host))
  const guests = allGuests(host)
  for (const { address, vgpus } of gpus ?? [])
    for (const vgpu of vgpus) {
      if (vgpu.mdevUuid === uuid)
        throw new Refusal(`mdev ${uuid} is in use by ${nameOf(vgpu)}, as nvidia-smi vgpu -q reports.`)
      const isKnown =
        vgpu.mdevUuid !== null ||
        guests.some((guest) => guest.uuid === vgpu.guestUuid || guest.name === vgpu.guestName)
      if (address === card && !isKnown)
        throw new Refusal(
          `nvidia-smi vgpu -q reports a vGPU of ${nameOf(vgpu)} on ${card} without its mdev, and no guest of libvirt matches it: mdev ${uuid} could be that one.`,
        )
    }
}

/** Refuses an mdev that a guest names, running or shut off, or that a process uses. */
export const refuseHeldMdev = (host: CommandHost, uuid: string): void => {
  refuseUsedByProcess(host, [uuid])
  for (const guest of allGuests(host)) {
    const held = guest.mdevs.find((mdev) => mdev.uuid === uuid)
    if (held !== undefined)
      throw new Refusal(
        `mdev ${uuid} is attached to the guest ${guest.name} (${guest.uuid}) in its ${where(held)} XML.`,
      )
  }
}

/** Refuses PCI devices that a guest names, or that a process uses. */
export const refuseHeldDevices = (host: CommandHost, addresses: readonly string[]): void => {
  refuseUsedByProcess(host, addresses)
  for (const guest of allGuests(host)) {
    const held = guest.pciDevices.find(({ address }) => addresses.includes(address))
    if (held !== undefined)
      throw new Refusal(
        `${held.address} is attached to the guest ${guest.name} (${guest.uuid}) in its ${where(held)} XML.`,
      )
  }
}

/** The folder itself: whether anything is defined is unknown, as in a container that is not visible. */
const hidesDefinitions = (source: string): boolean => source.endsWith('/etc/mdevctl.d')

/** All mdevs, active and defined. Refuses when sysfs does not tell, or when something about `uuid` can't be read. */
export const allMdevs = (host: CommandHost, uuid = ''): Mdev[] => {
  const { files, problems } = host.look()
  const deployment = findNovaFiles(files, undefined)?.deployment ?? null
  const mdevs = collectMdevs({ files, problems, deployment })
  // A type whose folder is gone is dangling and still the type.
  const unreadable = problems
    .list()
    .find(({ code, source }) => code !== 'dangling' && (source.includes(uuid) || hidesDefinitions(source)))
  if (mdevs === null || unreadable !== undefined)
    throw new Refusal(
      `The mdevs of this host could not be read: ${unreadable?.message ?? 'sysfs has no mdev bus.'}`,
    )
  return mdevs
}
