import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { blocked, GOES_ON, unreadable } from './blocked'
import type { ConsoleHandler } from './step-work'

type Task = Extract<StepTask, { kind: 'await-offer' }>

/** mdevs of other types than this on pGPUs, active or only defined, with the commands that take them away. */
export const leftOver = (
  { host, pgpus }: JoinedHost,
  { addresses, typeId }: { addresses: readonly string[]; typeId: string },
): { names: string[]; commands: string[] } => {
  const functions = pgpus
    .filter(({ pgpu }) => addresses.includes(pgpu.address))
    .flatMap((entry) => entry.functions)
  const left = (host.inventory.mdevs ?? []).filter(
    ({ parent, typeId: active, definition }) =>
      functions.includes(parent) && (active ?? definition?.typeId) !== typeId,
  )
  return {
    names: left.map((mdev) => `${mdev.uuid} (${mdev.typeId ?? mdev.definition?.typeId ?? 'no type'})`),
    commands: left.flatMap(({ uuid, isActive, definition }) => [
      ...(definition === null ? [] : [sh`mdevctl undefine --uuid ${shellWord(uuid)}`]),
      ...(isActive ? [sh`mdevctl stop --uuid ${shellWord(uuid)}`] : []),
    ]),
  }
}

/** The driver offers the new type on every pGPU: remaining mdevs of the old one are named. */
export const awaitOfferHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, task) => {
    const { host, addresses, typeId, typeName } = task
    const { joined, reason } = await tools.hostNow(host)
    if (joined === null) return unreadable(host, reason)
    const { names, commands } = leftOver(joined, task)
    if (names.length > 0)
      return blocked(
        `mdevs of other types remain on ${host}: ${listText(names)}.`,
        `Remove them and their definitions: ${commands.join('; ')}. ${GOES_ON}`,
      )
    const offers = addresses.map((address) => {
      const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
      const type = entry?.pgpu.supportedTypes?.find((one) => one.typeId === typeId)
      return { address, creatable: type?.creatable ?? null, because: type?.limitReason ?? null }
    })
    const short = offers.find(({ creatable }) => creatable === null || creatable === 0)
    if (short !== undefined)
      return blocked(
        `The driver can create ${short.creatable ?? 'an unknown number of'} ${typeName} on ${short.address}${short.because === null ? '' : `: ${short.because}`}.`,
        GOES_ON,
      )
    return {
      state: 'holds',
      answer: `${typeId}/available_instances: ${offers.map(({ address, creatable }) => `${creatable} on ${address}`).join(', ')}.`,
    }
  },
  act: async () => 'The step only checks.',
  checkUndo: async () => ({ state: 'holds', answer: 'The step only checked.' }),
  undo: async () => 'The step only checked.',
}
