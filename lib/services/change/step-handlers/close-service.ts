import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, differs, GOES_ON } from './blocked'
import { readService, stateText, statusText } from './compute-service'
import { stillOn } from './moved-servers'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'
import { whyTotalsWrong } from './totals-again'
import { whyNotYet } from './verify-passthrough'
import { verifyPgpuHandler } from './verify-pgpu'

type Task = Extract<StepTask, { kind: 'close-service' }>

const gone = (service: string): CheckResult =>
  blocked(`Nova no longer has a nova-compute service of ${service}.`)

/**
 * A person who works manually may have disabled the host, completed the change and enabled the host again between two
 * checks.
 */
const isBehind = async (tools: StepTools, task: Task): Promise<boolean> => {
  const { service, verify = [], cards = [], moves = [] } = task
  if (!tools.change.isByHand || verify.length + cards.length + moves.length === 0) return false
  if ((await stillOn(tools, { service, moves })) !== null) return false
  if ((await whyNotYet(tools, cards)) !== null) return false
  for (const task of verify) if ((await verifyPgpuHandler.check(tools, task)).state !== 'holds') return false
  return true
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { service: host, reason } = task
  const service = await readService(tools, host)
  if (service === null) return gone(host)
  if (service.status === 'disabled')
    return service.disabledReason === reason
      ? { state: 'holds', answer: `nova-compute of ${host} is ${statusText(service)}.`, intent: { reason } }
      : differs(
          task,
          `nova-compute of ${host} was disabled after the plan was made: ${service.disabledReason ?? 'no reason'}.`,
          { wayOut: 'Plan again: the service then stays disabled at the end. Or enable it.' },
        )
  if (await isBehind(tools, task))
    return {
      state: 'holds',
      answer: `The later steps on ${host} are already done, and scheduling is enabled.`,
      intent: { reason },
    }
  return stateText(service) === 'up'
    ? { state: 'ready', intent: { reason } }
    : blocked(`nova-compute of ${host} is ${stateText(service)}.`, `Start it again. ${GOES_ON}`)
}

/**
 * Enables scheduling at the end of a rollback, unless another user has disabled it for another reason. Placement's totals
 * must be correct first: with the totals of the change, the scheduler would send servers that cannot start.
 */
const checkUndo = async (
  tools: StepTools,
  task: Task,
  intent: Record<string, unknown>,
): Promise<CheckResult> => {
  const { service: host, reason } = task
  const service = await readService(tools, host)
  if (service === null) return gone(host)
  if (service.status === 'enabled')
    return { state: 'holds', answer: `nova-compute of ${host} is enabled.` } as const
  if (service.disabledReason !== reason)
    return {
      state: 'holds',
      answer: `nova-compute of ${host} stays ${statusText(service)}: this change did not disable it.`,
    } as const
  if (stateText(service) !== 'up')
    return blocked(`nova-compute of ${host} is ${stateText(service)}.`, `Start it again. ${GOES_ON}`)
  return (await whyTotalsWrong(tools, task)) ?? ({ state: 'ready', intent } as const)
}

/** Disables a host's nova-compute with the change's own reason, by which it is known again. */
export const closeServiceHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: async (tools, { service: host, reason }) => {
    const service = await readService(tools, host)
    if (service === null) return `Nova has no nova-compute service of ${host}.`
    const now = await tools.nova.disableService(service.id, reason)
    return `PUT /os-services/${service.id}: nova-compute of ${host} is ${statusText(now)}.`
  },
  checkUndo,
  undo: async (tools, { service: host }) => {
    const service = await readService(tools, host)
    if (service === null) return `Nova has no nova-compute service of ${host}.`
    const now = await tools.nova.enableService(service.id)
    return `PUT /os-services/${service.id}: nova-compute of ${host} is ${statusText(now)}.`
  },
}
