import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { blocked, GOES_ON, unreadable } from './blocked'
import { providerByName } from './provider-by-name'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'await-empty' }>

/** Guests that name an mdev or a VF of these pGPUs, running or shut off, as `name on address`. */
const holdersOn = ({ host, pgpus }: JoinedHost, addresses: readonly string[]): string[] => {
  const functions = new Map(
    pgpus
      .filter(({ pgpu }) => addresses.includes(pgpu.address))
      .flatMap((entry) => entry.functions.map((address) => [address, entry.pgpu.address] as const)),
  )
  const parents = new Map((host.inventory.mdevs ?? []).map(({ uuid, parent }) => [uuid, parent]))
  return (host.inventory.guests ?? []).flatMap(({ name, nova, mdevs, pciDevices }) => {
    const addresses = [
      ...mdevs.map(({ uuid }) => parents.get(uuid) ?? ''),
      ...pciDevices.map((one) => one.address),
    ]
    const held = addresses.map((address) => functions.get(address)).find(Boolean)
    return held === undefined ? [] : [`${nova?.serverName ?? name} on ${held}`]
  })
}

/** Who holds something of these providers, by Placement now. */
const allocatedOn = async (tools: StepTools, providers: readonly { name: string }[]): Promise<string[]> => {
  const consumers = new Set<string>()
  for (const { name } of providers) {
    const provider = await providerByName(tools, name)
    if (provider === null) continue
    const { allocations } = await tools.placement.getAllocations(provider.uuid)
    for (const { consumerUuid } of allocations) consumers.add(consumerUuid)
  }
  return [...consumers]
}

const nameOf = async ({ nova }: StepTools, uuid: string): Promise<string> => {
  const server = await nova.getServer(uuid)
  return server === null ? uuid : `${server.name} (${uuid}) of project ${server.projectId}`
}

/** Blocked by name while a server holds a vGPU there; null: nothing does, by Placement and by libvirt. */
export const heldBy = async (
  tools: StepTools,
  { host, addresses, providers }: Pick<Task, 'host' | 'addresses' | 'providers'>,
): Promise<CheckResult | null> => {
  const consumers = await allocatedOn(tools, providers)
  if (consumers.length > 0) {
    const names = await Promise.all(consumers.slice(0, 3).map((uuid) => nameOf(tools, uuid)))
    const more = consumers.length > 3 ? ` and ${consumers.length - 3} more` : ''
    return blocked(
      `Placement has allocations there of ${names.join(', ')}${more}.`,
      `Migrate or delete these servers. ${GOES_ON}`,
    )
  }
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  if (joined.host.inventory.guests === null || joined.host.inventory.mdevs === null)
    return unreadable(host, 'its guests or mdevs could not be read')
  const guests = holdersOn(joined, addresses)
  return guests.length === 0
    ? null
    : blocked(
        `${formatNoun(guests.length, 'guest holds', 'guests hold')} an mdev or VF by libvirt's XML: ${listText(guests)}.`,
        `Migrate or delete these servers, including shut-off ones. ${GOES_ON}`,
      )
}

/** Waits until no vGPU is used on the pGPUs, including those that the plan did not know. */
export const awaitEmptyHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, task) =>
    (await heldBy(tools, task)) ?? {
      state: 'holds',
      answer: `Placement: no allocation. Guests: none names an mdev or VF of ${listText(task.addresses, 4)}, running or shut off.`,
    },
  act: async () => 'The step only checks.',
  checkUndo: async () => ({ state: 'holds', answer: 'The step only checked.' }),
  undo: async () => 'The step only checked.',
}
