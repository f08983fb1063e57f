import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { isSamePci, type PciLayout, pciLayoutNow } from '@/lib/domain/cloud/pci-layout'
import { dropInProblem, unreadDropIn } from '@/lib/domain/nova-config/layout/drop-in-order'
import type { StepTask } from '@/lib/domain/plans/types'

import { formatNoun } from '@/lib/util/format'
import { AS_PLANNED, differs, unreadable } from './blocked'
import { contentHash, unwriteDropIn, writeDropIn } from './drop-in-command'
import { startOfNova } from './nova-start'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'write-pci-config' }>

const isConfig = (joined: JoinedHost, layout: PciLayout): boolean => {
  const now = pciLayoutNow(joined)
  return now !== null && isSamePci(joined, now, layout)
}

const describeConfig = ({ host }: Task, { specs, aliases }: PciLayout): string =>
  `[pci] of ${host} has ${formatNoun(specs.length, 'device_spec')} and ${formatNoun(aliases.length, 'alias', 'aliases')} as planned.`

const other = (joined: JoinedHost, task: Task): CheckResult =>
  pciLayoutNow(joined) === null
    ? unreadable(task.host, 'its nova.conf could not be read completely')
    : differs(task, `[pci] of ${task.host} differs from its state at planning.`, { wayOut: AS_PLANNED })

const lookAt = async (
  tools: StepTools,
  task: Task,
  { from, to }: { from: PciLayout; to: PciLayout },
): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(task.host)
  if (joined === null) return unreadable(task.host, reason)
  const intent = { startedAt: task.startedAt, was: contentHash(task.ownBefore) }
  if (isConfig(joined, to)) return { state: 'holds', answer: describeConfig(task, to), intent }
  if (!isConfig(joined, from)) return other(joined, task)
  // nova-compute may have been started with other files since the plan was created.
  const byHand = dropInProblem(joined.host.inventory.novaConfig, unreadDropIn)
  // Noted while the old entries still stand there: a start after this one has read the new ones.
  return { state: 'ready', intent: { ...intent, startedAt: startOfNova(joined), byHand } }
}

/**
 * The VFs that a host offers for passthrough, in nova.conf. The host's agent or an operator writes them, and the
 * host's report confirms them.
 */
export const writePciConfigHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => lookAt(tools, task, { from: task.before, to: task.after }),
  checkUndo: async (tools, task, intent) => {
    const looked = await lookAt(tools, task, { from: task.after, to: task.before })
    return looked.state === 'ready' ? { ...looked, intent } : looked
  },
  command: ({ file, ownAfter }, intent) => writeDropIn({ file, content: ownAfter }, intent),
  undoCommand: ({ file, ownBefore, ownAfter }, { intent, previous }) =>
    unwriteDropIn({ file, content: previous ?? ownBefore, written: ownAfter }, intent),
}
