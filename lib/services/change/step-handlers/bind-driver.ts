import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, differs, GOES_ON, unreadable } from './blocked'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'bind-driver' }>

const driverText = (driver: string | null): string => driver ?? 'no driver'

/** What drives a function now; undefined: the report does not tell. */
const driverOf = ({ host }: JoinedHost, { pgpuAddress, address }: Task): string | null | undefined => {
  const gpu = host.inventory.gpus.find((one) => one.address === pgpuAddress)
  if (gpu === undefined || address === pgpuAddress) return gpu?.driver
  return gpu.iommuGroupDevices?.find((device) => device.address === address)?.driver
}

/** What would go with the driver, or is to be kept from losing it. */
const inTheWay = ({ host, pgpus }: JoinedHost, { pgpuAddress, address }: Task): string | null => {
  const { guests, mdevs } = host.inventory
  const holder = guests?.find(({ pciDevices }) => pciDevices.some((device) => device.address === address))
  if (holder !== undefined)
    return `The guest ${holder.nova?.serverName ?? holder.name} names ${address} in its XML`
  if (address !== pgpuAddress) return null
  const mdev = mdevs?.find(({ isActive, parent }) => isActive && parent === address)
  if (mdev !== undefined) return `The mdev ${mdev.uuid} is on ${address}`
  const { pgpu } = pgpus.find((entry) => entry.pgpu.address === pgpuAddress) ?? {}
  return (pgpu?.virtualFunctions.length ?? 0) > 0 ? `The virtual functions of ${address} are on` : null
}

const lookAt = async (
  tools: StepTools,
  task: Task,
  { from, to }: { from: string | null; to: string | null },
): Promise<CheckResult> => {
  const { host, address } = task
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const now = driverOf(joined, task)
  if (now === undefined) return unreadable(host, `the driver of ${address} is not in its report`)
  if (now === to) return { state: 'holds', answer: `${address} is bound to ${driverText(to)}.` }
  if (now !== from)
    return differs(
      task,
      `${address} is bound to ${driverText(now)}, and was bound to ${driverText(from)} at planning.`,
      {
        wayOut: `Bind it to ${driverText(from)} or ${driverText(to)}, or plan again. ${GOES_ON}`,
      },
    )
  if (joined.host.inventory.guests === null || joined.host.inventory.mdevs === null)
    return unreadable(host, 'its guests or mdevs could not be read')
  const obstacle = inTheWay(joined, task)
  return obstacle === null
    ? { state: 'ready', intent: { address, from: task.from, to: task.to } }
    : blocked(`${obstacle}.`, `Remove it, even if it is a shut-off guest. ${GOES_ON}`)
}

const command = (address: string, { from, to }: { from: string | null; to: string | null }) =>
  ({ name: 'bind-pci-driver', address, driver: to, was: from }) as const

const back = ({ from, to }: Task) => ({ from: to, to: from })

/**
 * Sets the driver of one function of a card. The host's agent or an operator binds it, and the host's report confirms
 * it.
 */
export const bindDriverHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => lookAt(tools, task, task),
  checkUndo: (tools, task) => lookAt(tools, task, back(task)),
  command: (task) => command(task.address, task),
  undoCommand: (task) => command(task.address, back(task)),
}
