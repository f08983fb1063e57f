import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, GOES_ON, unreadable } from './blocked'
import { readService, stateText } from './compute-service'
import { isLater, notedStart, startOfNova, unseenStart } from './nova-start'
import { isOffered } from './offered'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'restart-nova' }>

/** Nova hears the nova-compute that was started. */
const checkService = async (
  tools: StepTools,
  { host, service: name }: Task,
  { how, joined }: { how: string; joined: JoinedHost },
): Promise<CheckResult> => {
  const service = await readService(tools, name)
  const state = service === null ? 'unknown to Nova' : stateText(service)
  return state === 'up'
    ? { state: 'holds', answer: `${how}, and Nova reports nova-compute of ${host} as up.` }
    : blocked(
        `${how}, but Nova reports nova-compute of ${host} as ${state}.`,
        `Check its log: ${novaUnitOf(joined.host.inventory).log}. ${GOES_ON}`,
      )
}

/** By what nova-compute is known to have started after `since`: its agent, or Placement's totals; null: by nothing. */
const startedBy = async (
  tools: StepTools,
  task: Task,
  { startedAt, since }: { startedAt: string | null; since: string | null },
): Promise<string | null> => {
  if (startedAt !== null && since !== null && isLater(startedAt, since))
    return `nova-compute of ${task.host} has run since ${startedAt}`
  return task.isTelling && (await isOffered(tools, task.evidence))
    ? `Placement has the values that nova-compute of ${task.host} writes for the current types of nova.conf`
    : null
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { host, direction } = task
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const startedAt = startOfNova(joined)
  if (direction === 'back')
    return {
      state: 'holds',
      answer: `nova-compute of ${host} has run since ${startedAt ?? 'a time that its agent does not report'}.`,
      intent: { startedAt },
    }
  const since =
    notedStart(await tools.intentOf(`write-config/${host}`), 'startedAt') ??
    notedStart(await tools.intentOf(`write-provider-config/${host}`), 'startedAt') ??
    notedStart(await tools.intentOf(`restart-nova/on/${host}`), 'startedAt') ??
    startedAt
  const how = await startedBy(tools, task, { startedAt, since })
  if (how !== null) return checkService(tools, task, { how, joined })
  return startedAt === null ? unseenStart(host) : { state: 'ready', intent: { startedAt: since } }
}

const checkUndo = async (tools: StepTools, task: Task, intent: Intent): Promise<CheckResult> => {
  const { host, direction } = task
  if (direction === 'on')
    return { state: 'holds', answer: 'nova-compute is restarted after nova.conf is restored.' }
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const startedAt = startOfNova(joined)
  const noted = notedStart(intent, 'startedAt')
  if (startedAt !== null && noted !== null && !isLater(startedAt, noted))
    return {
      state: 'holds',
      answer: `nova-compute of ${host} has run since ${startedAt}, before the change.`,
    }
  const since = notedStart(intent, 'backFrom')
  const how = await startedBy(tools, task, { startedAt, since })
  if (how !== null) return checkService(tools, task, { how, joined })
  return startedAt === null
    ? unseenStart(host)
    : { state: 'ready', intent: { ...intent, backFrom: since ?? startedAt } }
}

/** nova-compute has started after its configuration was written, and Nova hears it. */
export const restartNovaHandler: HostHandler<Task> = {
  by: 'host',
  check,
  checkUndo,
  command: () => ({ name: 'restart-nova-compute' }),
  undoCommand: ({ direction }) => (direction === 'back' ? { name: 'restart-nova-compute' } : null),
}
