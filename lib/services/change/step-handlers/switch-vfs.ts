import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { SLICING_DRIVER } from '@/lib/domain/plans/passthrough/draft'
import type { StepTask } from '@/lib/domain/plans/types'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { formatNoun } from '@/lib/util/format'
import { blocked, GOES_ON, unreadable } from './blocked'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'switch-vfs' }>

/** What a VF carries or a guest names: it would go with the VF. Undefined: the report does not tell. */
const onVfs = ({ host }: JoinedHost, { virtualFunctions }: GpuDevice): string | null | undefined => {
  const { guests, mdevs } = host.inventory
  if (guests === null || mdevs === null) return undefined
  const own = new Set(virtualFunctions.map(({ address }) => address))
  const holder = guests.find(({ pciDevices }) => pciDevices.some(({ address }) => own.has(address)))
  if (holder !== undefined)
    return `The guest ${holder.nova?.serverName ?? holder.name} names one of them in its XML`
  const mdev = mdevs.find(({ isActive, parent }) => isActive && own.has(parent))
  if (mdev !== undefined) return `The mdev ${mdev.uuid} is on ${mdev.parent}`
  const typed = virtualFunctions.find(({ vendorVfio }) => (vendorVfio?.currentType ?? 0) > 0)
  return typed === undefined ? null : `${typed.address} has a vGPU type`
}

const lookAt = async (tools: StepTools, { host, address }: Task, isOn: boolean): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const gpu = joined.host.inventory.gpus.find((one) => one.address === address)
  if (gpu === undefined) return unreadable(host, `its agent no longer reports ${address}`)
  const count = gpu.virtualFunctions.length
  if (count > 0 === isOn)
    return {
      state: 'holds',
      answer: isOn ? `${address} has ${formatNoun(count, 'VF')}.` : `${address} has no VFs.`,
    }
  if (gpu.driver !== SLICING_DRIVER)
    return blocked(
      `${address} is bound to ${gpu.driver ?? 'no driver'}, and only ${SLICING_DRIVER} provides VFs.`,
      `Bind it to ${SLICING_DRIVER}. ${GOES_ON}`,
    )
  const ready: CheckResult = { state: 'ready', intent: { address, isOn } }
  if (isOn) return ready
  const obstacle = onVfs(joined, gpu)
  if (obstacle === undefined) return unreadable(host, 'its guests or mdevs could not be read')
  return obstacle === null
    ? ready
    : blocked(
        `The VFs of ${address} cannot be disabled: ${obstacle}.`,
        `Remove it, even if it is a shut-off guest. ${GOES_ON}`,
      )
}

/**
 * Enables or disables the virtual functions of a card. The host's agent or an operator does it, and the host's report
 * confirms it.
 */
export const switchVfsHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => lookAt(tools, task, task.isOn),
  checkUndo: (tools, task) => lookAt(tools, task, !task.isOn),
  command: ({ address, isOn }) => ({ name: 'run-sriov-manage', address, enable: isOn }),
  undoCommand: ({ address, isOn }) => ({ name: 'run-sriov-manage', address, enable: !isOn }),
}
