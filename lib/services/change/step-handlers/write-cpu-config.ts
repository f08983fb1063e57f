import 'server-only'
import { createHash } from 'node:crypto'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { type CpuOptions, isSameCpuOptions, readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { lostCpuDropIn } from '@/lib/domain/plans/reservation/cpu-steps'
import { cpuOptionsText, ownCpuText } from '@/lib/domain/plans/reservation/cpu-texts'
import type { StepTask } from '@/lib/domain/plans/types'
import { AS_PLANNED, differs, unreadable } from './blocked'
import { startOfNova } from './nova-start'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'write-cpu-config' }>

/** Null: nova.conf could not be read whole. */
const optionsNow = ({ host, nova }: JoinedHost): CpuOptions | null =>
  nova === null || nova.gap !== null || host.inventory.novaConfig === null
    ? null
    : readCpuOptions(host.inventory.novaConfig)

const oneLine = (options: CpuOptions): string =>
  cpuOptionsText(options).replaceAll(/\n+/g, ' ') || 'no CPU set and nothing reserved'

const shaOf = (text: string | null): string | null =>
  text === null ? null : createHash('sha256').update(text).digest('hex')

const lookAt = async (
  tools: StepTools,
  task: Task,
  { from, to }: { from: CpuOptions; to: CpuOptions },
): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(task.host)
  if (joined === null) return unreadable(task.host, reason)
  const now = optionsNow(joined)
  const { novaConfig } = joined.host.inventory
  if (now === null || novaConfig === null)
    return unreadable(task.host, 'its nova.conf could not be read completely')
  if (isSameCpuOptions(now, to))
    return {
      state: 'holds',
      answer: `nova.conf of ${task.host}: ${oneLine(to)}`,
      intent: { startedAt: task.startedAt, was: shaOf(task.ownBefore) },
    }
  if (!isSameCpuOptions(now, from))
    return differs(task, `nova.conf of ${task.host} differs from its state at planning: ${oneLine(now)}.`, {
      wayOut: AS_PLANNED,
    })
  return {
    state: 'ready',
    intent: {
      // Noted while the old sets still stand there: a start after this one has read the new ones.
      startedAt: startOfNova(joined),
      was: shaOf(ownCpuText(novaConfig)),
      // A later file may have been added since the plan was created.
      byHand: lostCpuDropIn(novaConfig),
    },
  }
}

/**
 * CPU sets and reservations in nova.conf of a host. Its agent or an operator writes them, and the host's report
 * confirms them.
 */
export const writeCpuConfigHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => lookAt(tools, task, { from: task.before, to: task.after }),
  checkUndo: async (tools, task, intent) => {
    const looked = await lookAt(tools, task, { from: task.after, to: task.before })
    return looked.state === 'ready' ? { ...looked, intent } : looked
  },
  command: ({ file, ownAfter }, { was, byHand }) =>
    typeof byHand === 'string'
      ? { byHand }
      : { name: 'write-nova-config', file, content: ownAfter, was: typeof was === 'string' ? was : null },
  undoCommand: ({ file, ownBefore, ownAfter }, { intent: { byHand }, previous }) =>
    typeof byHand === 'string'
      ? null
      : { name: 'write-nova-config', file, content: previous ?? ownBefore, was: shaOf(ownAfter) },
}
