import 'server-only'
import * as z from 'zod'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { heldBy } from './await-empty'
import { unreadable } from './blocked'
import { type CheckResult, type HostHandler, readIntent, type StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'clear-spares' }>

/** After the host was closed again, what servers have left there goes before the old type comes back. */
const checkUndo = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { host, addresses, typeName } = task
  const held = await heldBy(tools, task)
  if (held !== null) return held
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const functions = joined.pgpus
    .filter(({ pgpu }) => addresses.includes(pgpu.address))
    .flatMap((entry) => entry.functions)
  const [mdev] = (joined.host.inventory.mdevs ?? []).filter(({ parent }) => functions.includes(parent))
  const typeId = mdev?.typeId ?? mdev?.definition?.typeId
  if (mdev === undefined || typeId == null)
    return { state: 'holds', answer: `No mdev of ${typeName} is left on ${listText(addresses)} of ${host}.` }
  return { state: 'ready', intent: { uuid: mdev.uuid, typeId, parent: mdev.parent } }
}

const intentSchema = z.object({ uuid: z.string(), typeId: z.string(), parent: z.string() })

/** Does nothing in the forward direction; a roll back removes unused mdevs of the new type. */
export const clearSparesHandler: HostHandler<Task> = {
  by: 'host',
  check: async (_tools, { host, typeName }) => ({
    state: 'holds',
    answer: `New mdevs of ${typeName} on ${host} are removed when the change is reverted.`,
    intent: {},
  }),
  checkUndo,
  command: (_task, intent) => removal(intent),
  undoCommand: (_task, { intent }) => removal(intent),
}

const removal = (intent: Intent) => {
  const { uuid, typeId, parent: parentAddress } = readIntent(intentSchema, intent)
  return { name: 'remove-mdev', uuid, typeId, parentAddress } as const
}
