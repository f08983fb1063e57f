import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, differs, GOES_ON } from './blocked'
import { closeServiceHandler } from './close-service'
import { readService, stateText, statusText } from './compute-service'
import { stillOn } from './moved-servers'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'
import { isAnyBound, whyNotYet } from './verify-passthrough'
import { isAnySet, verifyPgpuHandler } from './verify-pgpu'

type Task = Extract<StepTask, { kind: 'open-service' }>

const closing = ({ host, service, reason }: Task) =>
  ({ kind: 'close-service', host, service, reason }) as const

/** Whether a card still has the state that the change gave it; null: unknown. */
const isAnyLeft = (tools: StepTools, { cards, verify }: Task): Promise<boolean | null> => {
  if (cards !== undefined) return isAnyBound(tools, cards)
  return verify.length === 0 ? Promise.resolve(null) : isAnySet(tools, verify)
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { service: host, reason, verify, cards = [], moves = [] } = task
  const service = await readService(tools, host)
  if (service === null) return blocked(`Nova no longer has a nova-compute service of ${host}.`)
  // In a manual change every step is checked before the first is done, and the host is still enabled then.
  for (const each of verify) {
    const held = await verifyPgpuHandler.check(tools, each)
    if (held.state !== 'holds') return held
  }
  const early = await whyNotYet(tools, cards)
  if (early !== null) return early
  const staying = await stillOn(tools, { service: host, moves })
  if (staying !== null)
    return blocked(`${staying.name} is still on ${host}.`, `Wait until it has left. ${GOES_ON}`)
  if (service.status === 'enabled')
    return { state: 'holds', answer: `nova-compute of ${host} is enabled.`, intent: { reason } }
  if (service.disabledReason !== reason)
    return differs(
      task,
      `nova-compute of ${host} is disabled, and this change did not disable it. Reason: ${service.disabledReason ?? 'none'}.`,
      { wayOut: 'Skip the step to keep it disabled, or enable it manually.' },
    )
  if (stateText(service) !== 'up')
    return blocked(`nova-compute of ${host} is ${stateText(service)}.`, `Start it. ${GOES_ON}`)
  return { state: 'ready', intent: { reason } }
}

/** Enables nova-compute once everything holds; taking it back closes the host first of all. */
export const openServiceHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: async (tools, { service: host }) => {
    const service = await readService(tools, host)
    if (service === null) return `Nova has no nova-compute service of ${host}.`
    const now = await tools.nova.enableService(service.id)
    return `PUT /os-services/${service.id}: nova-compute of ${host} is ${statusText(now)}.`
  },
  checkUndo: async (tools, task, intent) => {
    const service = await readService(tools, task.service)
    if (service?.status === 'disabled')
      return { state: 'holds', answer: `nova-compute of ${task.service} is ${statusText(service)}.` }
    if (task.moves !== undefined && task.moves.length > 0)
      return {
        state: 'holds',
        answer: `nova-compute of ${task.service} stays enabled: migrated servers stay on their new hosts.`,
      }
    // A person who works manually may have disabled the host, continued and enabled it between two checks.
    if (tools.change.isByHand && (await isAnyLeft(tools, task)) === false)
      return {
        state: 'holds',
        answer: `The type is already reverted, and scheduling is enabled on ${task.service}.`,
      }
    return { state: 'ready', intent }
  },
  undo: (tools, task, intent) => closeServiceHandler.act(tools, closing(task), intent),
}
