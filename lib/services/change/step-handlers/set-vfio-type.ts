import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { StepTask } from '@/lib/domain/plans/types'
import { parseCreatableLine } from '@/lib/domain/vgpu-type/creatable-line'
import { blocked, differs, GOES_ON, unreadable } from './blocked'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-vfio-type' }>

const vfOf = ({ host }: JoinedHost, { address }: Task) =>
  host.inventory.gpus.flatMap((gpu) => gpu.virtualFunctions).find((vf) => vf.address === address)

const holderOf = ({ host }: JoinedHost, { address }: Task) =>
  host.inventory.guests?.find(({ pciDevices }) => pciDevices.some((device) => device.address === address))

/** Why the driver would not make a type on the VF now; null when it would. */
const notMade = (
  joined: JoinedHost,
  task: Task,
  { to, name }: { to: number; name: string },
): string | null => {
  if (to === 0) return null
  const lines = vfOf(joined, task)?.vendorVfio?.creatable ?? null
  if (lines === null) return `creatable_vgpu_types of ${task.address} could not be read`
  return lines.some((line) => parseCreatableLine(line)?.id === to)
    ? null
    : `creatable_vgpu_types of ${task.address} does not list ${to} (${name}): a vGPU of another size is on ${task.pgpuAddress}, it is full, or no GPU instance is free`
}

type Move = { from: number; to: number; toName: string; fromName: string }

const lookAt = async (
  tools: StepTools,
  task: Task,
  { from, to, toName, fromName }: Move,
): Promise<CheckResult> => {
  const { host, address } = task
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const now = vfOf(joined, task)?.vendorVfio?.currentType
  if (now == null) return unreadable(host, `the vGPU type of ${address} could not be read`)
  if (now === to) return { state: 'holds', answer: `current_vgpu_type of ${address} is ${to} (${toName}).` }
  if (now !== from)
    return differs(
      task,
      `current_vgpu_type of ${address} is ${now}, and was ${from} (${fromName}) at planning.`,
      {
        wayOut: `Write ${from} or ${to} to it, or plan again. ${GOES_ON}`,
      },
    )
  if (joined.host.inventory.guests === null) return unreadable(host, 'its guests could not be read')
  const holder = holderOf(joined, task)
  if (holder !== undefined)
    return blocked(
      `The guest ${holder.nova?.serverName ?? holder.name} names ${address} in its XML, and the driver keeps its type.`,
      `Migrate or delete it, even if it is shut off. ${GOES_ON}`,
    )
  const why = notMade(joined, task, { to, name: toName })
  return why === null
    ? { state: 'ready', intent: { address, from: task.from, to: task.to } }
    : blocked(`${why}.`, `Remove the other vGPUs from the card. ${GOES_ON}`)
}

const command = (address: string, { from, to }: Pick<Move, 'from' | 'to'>) =>
  ({ name: 'set-vfio-type', address, typeNumber: to, was: from }) as const

const back = ({ from, to, fromName, toName }: Task): Move => ({
  from: to,
  to: from,
  fromName: toName,
  toName: fromName,
})

/** Sets the vGPU type of one VF. The agent or an operator writes it into sysfs, and the host's report confirms it. */
export const setVfioTypeHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => lookAt(tools, task, task),
  checkUndo: (tools, task) => lookAt(tools, task, back(task)),
  command: (task) => command(task.address, task),
  undoCommand: (task) => command(task.address, back(task)),
}
