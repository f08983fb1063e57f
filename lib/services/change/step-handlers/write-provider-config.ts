import 'server-only'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  isSameProviderConfig,
  namedTwice,
  providerConfigNow,
} from '@/lib/domain/nova-config/provider-config-now'
import type { WriteProviderConfigTask } from '@/lib/domain/plans/traits/provider-config-steps'
import type { ProviderTraits } from '@/lib/schemas/agent/provider-config'
import { formatNoun } from '@/lib/util/format'
import { AS_PLANNED, blocked, differs, GOES_ON, unreadable } from './blocked'
import { startOfNova } from './nova-start'
import type { CheckResult, HostHandler, StepTools } from './step-work'

type Task = WriteProviderConfigTask
type Entries = readonly ProviderTraits[] | null

const describeConfig = ({ path }: Task, entries: Entries): string =>
  entries === null ? `${path} is not there` : `${path} has ${formatNoun(entries.length, 'provider')}`

/** The entries in the form of a command. */
const listed = (entries: Entries) =>
  entries === null ? null : entries.map(({ provider, traits }) => ({ provider, traits: [...traits] }))

const lookAt = (
  joined: JoinedHost,
  task: Task,
  { from, to }: { from: Entries; to: Entries },
): CheckResult => {
  const { now, reason } = providerConfigNow(joined.host.inventory.novaConfig)
  if (now === null) return unreadable(task.host, reason)
  if (isSameProviderConfig(now.own, to))
    return {
      state: 'holds',
      answer: `${describeConfig(task, to)} on ${task.host}.`,
      intent: { startedAt: task.startedAt },
    }
  if (!isSameProviderConfig(now.own, from))
    return differs(task, `${task.path} of ${task.host} differs from its state at planning.`, {
      wayOut: AS_PLANNED,
    })
  const twice = to === null ? null : namedTwice(now, to)
  if (twice !== null) return blocked(`On ${task.host}, ${twice}.`, GOES_ON)
  // Recorded while the old file is still there: a start after this time has read the new one.
  return { state: 'ready', intent: { startedAt: startOfNova(joined) } }
}

const check = async (
  tools: StepTools,
  task: Task,
  way: { from: Entries; to: Entries },
): Promise<CheckResult> => {
  const { joined, reason } = await tools.hostNow(task.host)
  return joined === null ? unreadable(task.host, reason) : lookAt(joined, task, way)
}

/**
 * The console's own provider config file of nova-compute. The agent or an operator writes it, and the host's report
 * confirms it.
 */
export const writeProviderConfigHandler: HostHandler<Task> = {
  by: 'host',
  check: (tools, task) => check(tools, task, { from: task.before, to: task.after }),
  checkUndo: async (tools, task, intent) => {
    const looked = await check(tools, task, { from: task.after, to: task.before })
    return looked.state === 'ready' ? { ...looked, intent } : looked
  },
  command: ({ before, after }) => ({
    name: 'write-provider-config',
    entries: listed(after),
    was: listed(before),
  }),
  undoCommand: ({ before, after }) => ({
    name: 'write-provider-config',
    entries: listed(before),
    was: listed(after),
  }),
}
