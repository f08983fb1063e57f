import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { dropInProblem } from '@/lib/domain/nova-config/layout/drop-in-order'
import { type HostLayout, isSameLayout, layoutNow } from '@/lib/domain/plans/host-steps/host-layout'
import { layoutText } from '@/lib/domain/plans/host-steps/layout-text'
import type { StepTask } from '@/lib/domain/plans/types'
import { layoutTargets } from '@/lib/domain/plans/written-targets'
import { AS_PLANNED, differs, unreadable } from './blocked'
import { contentHash, unwriteDropIn, writeDropIn } from './drop-in-command'
import { startOfNova } from './nova-start'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'write-config' }>

const isConfig = (joined: JoinedHost, layout: HostLayout): boolean => {
  const now = layoutNow(joined)
  return now !== null && isSameLayout(now, layout)
}

const oneLine = (layout: HostLayout): string => layoutText(layout).replaceAll(/\n+/g, ' ')

const other = (joined: JoinedHost, task: Task, expected: HostLayout): CheckResult => {
  const { host } = task
  const now = layoutNow(joined)
  return now === null
    ? unreadable(host, 'its nova.conf could not be read completely')
    : differs(task, `nova.conf of ${host} differs from its state at planning: ${oneLine(now)}.`, {
        wayOut: AS_PLANNED,
        targets: layoutTargets(host, { expected, now }),
      })
}

const contentOf = (layout: HostLayout): string => `${layoutText(layout)}\n`

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(task.host)
  if (joined === null) return unreadable(task.host, reason)
  if (isConfig(joined, task.after))
    return {
      state: 'holds',
      answer: `nova.conf of ${task.host}: ${oneLine(task.after)}`,
      intent: { startedAt: task.startedAt, was: null },
    }
  if (!isConfig(joined, task.before)) return other(joined, task, task.before)
  const { novaConfig } = joined.host.inventory
  const hasFile = novaConfig?.files.some((file) => file.endsWith(`/${task.file}`))
  return {
    state: 'ready',
    intent: {
      // Noted while the old types still stand there: a start after this one has read the new ones.
      startedAt: startOfNova(joined),
      // What an earlier change has written there; the agent refuses when it is something else.
      was: hasFile === true ? contentHash(contentOf(task.before)) : null,
      // A later file may have been added since the plan was created.
      byHand: dropInProblem(novaConfig),
    },
  }
}

/**
 * The vGPU types in nova.conf of a host. Its agent or an operator writes them, and the host's report confirms them.
 */
export const writeConfigHandler: HostHandler<Task> = {
  by: 'host',
  check,
  checkUndo: async (tools, task, intent) => {
    const { joined, reason } = await tools.hostNow(task.host)
    if (joined === null) return unreadable(task.host, reason)
    if (isConfig(joined, task.before))
      return { state: 'holds', answer: `nova.conf of ${task.host}: ${oneLine(task.before)}` }
    return isConfig(joined, task.after) ? { state: 'ready', intent } : other(joined, task, task.after)
  },
  command: ({ file, after }, intent) => writeDropIn({ file, content: contentOf(after) }, intent),
  undoCommand: ({ file, after }, { intent, previous }) =>
    unwriteDropIn({ file, content: previous, written: contentOf(after) }, intent),
}
