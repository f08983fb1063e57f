import 'server-only'
import { allowsCommand } from '@/lib/domain/host/allows-command'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import { hostOfTask, type StepTask } from '@/lib/domain/plans/types'
import { type AgentCommand, agentCommandSchema } from '@/lib/schemas/agent/command'
import type { Connection } from '@/lib/server/database/database'
import { type CommandRow, commandsOfStep } from '@/lib/services/agent-command/command-rows'
import { expireCommands, settleCommands, withdrawCommands } from '@/lib/services/agent-command/end-commands'
import { queueCommand, signCommand } from '@/lib/services/agent-command/queue-command'
import { canonicalJson } from '@/lib/util/canonical-json'
import { recordStep } from './record-step'
import type { CheckResult, HostHandler, StepHandler, StepTools } from './step-handlers/step-work'
import {
  type Advance,
  beginOf,
  record,
  settleBlocked,
  settleFailed,
  settleHolds,
  type Turn,
  waitForHand,
} from './turn'

/** What the agent has of a step. */
type Hand = {
  /** The agent has the command and has not answered, so it may run it at any moment. */
  isBusy: boolean
  /** It is in the queue for what the change is about now. */
  isQueued: boolean
  /** It has ended, and the step does not know yet. */
  news: CommandRow | null
  /** What the agent found when it did the step; null: nothing, or it did not do it. */
  previous: string | null
}

type Input = { tools: StepTools; work: HostHandler<StepTask>; hand: Hand; looked: CheckResult }

const ENDED = ['done', 'refused', 'failed', 'interrupted']

/** Whether an agent does the step, if its host allows it when it comes to that. */
export const isOfAgent = ({ change, step }: Turn, work: StepHandler<StepTask>): boolean =>
  work.by === 'host' && step.body.doer === 'agent' && !change.isByHand

/** Ends what has expired and reads how far the step's commands are. */
export const readHand = async ({ database, now, change, step, isUndo, actor }: Turn): Promise<Hand> => {
  const at = now()
  const rows = await database.transaction(async (connection) => {
    await expireCommands(connection, { changeId: change.id, at, actor })
    return commandsOfStep(connection, { changeId: change.id, position: step.position })
  })
  const [last] = rows
  const own = last?.isUndo === isUndo ? last : undefined
  return {
    isBusy: last?.state === 'delivered',
    isQueued: own?.state === 'queued',
    news: own !== undefined && !own.isSettled && ENDED.includes(own.state) ? own : null,
    previous: rows.find((row) => !row.isUndo && row.state === 'done')?.previous ?? null,
  }
}

const waitForAgent = async (turn: Turn, note: string): Promise<Advance> => {
  await record(turn, { event: 'wait', intent: turn.step.intent, note, wayOut: null })
  return 'resting'
}

export const restWithAgent = (turn: Turn): Promise<Advance> =>
  waitForAgent(turn, 'The agent has the command. Waiting for its answer, or until the command expires.')

/** The step is settled, so nothing of it may stay in the queue. */
const takeFromQueue =
  ({ change, step, isUndo, actor, now }: Turn) =>
  async (connection: Connection): Promise<void> => {
    const { position } = step
    await withdrawCommands(connection, { changeId: change.id, position, at: now(), actor })
    await settleCommands(connection, { changeId: change.id, position, isUndo })
  }

const wordsOf = ({ message, output }: CommandRow): string =>
  [message ?? '', output ?? ''].filter((text) => text !== '').join('\n')

/** The intent, its audit row and the command, all or nothing. */
const queue = async (
  turn: Turn,
  { host, command, intent }: { host: string; command: AgentCommand; intent: Intent },
): Promise<Advance> => {
  const { change, step, isUndo, signer, now, onPoint, actor } = turn
  onPoint?.('before-intent', step.position)
  const at = now()
  const draft = {
    cloudId: change.cloudId,
    changeId: change.id,
    position: step.position,
    isUndo,
    host,
    command,
  }
  const signed = await signCommand(signer, draft, at)
  const note = `Waiting for the agent of ${host} to check in.`
  await record(
    turn,
    { event: beginOf(turn), intent },
    {
      whileIn: change.state,
      also: async (connection, begun) => {
        await queueCommand(connection, { signed, revision: begun.revision, at })
        const wait = { event: 'wait' as const, isUndo, intent, note }
        await recordStep(connection, { change, step: begun, record: wait, at, actor })
      },
    },
  )
  onPoint?.('after-intent', step.position)
  return 'moved'
}

const settleNews = async (turn: Turn, news: CommandRow, looked: Exclude<CheckResult, { state: 'holds' }>) => {
  const also = takeFromQueue(turn)
  const { intent } = turn.step
  const answer = wordsOf(news)
  if (news.state === 'refused' || news.state === 'failed')
    return settleFailed(turn, { intent, note: news.message ?? 'The agent gave no reason.', answer, also })
  // It stays news until the world can be seen.
  if (looked.state === 'blocked' || looked.state === 'waiting') return settleBlocked(turn, looked)
  const note =
    news.state === 'done'
      ? `${news.message ?? ''} According to the report of the host, the check failed: ${turn.step.body.check}`
      : `${news.message ?? ''} The host reports that the step was not done. Select Resume to send the command again.`
  return settleFailed(turn, { intent, note, answer, also })
}

/** Why no agent would take a command; null: it has the form of the contract. */
const malformedCommand = (command: AgentCommand): string | null => {
  const { success, error } = agentCommandSchema.safeParse(command)
  const [issue] = error?.issues ?? []
  return success
    ? null
    : `The agent would reject the command: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'has another format'}. Do the step manually, or correct the value and plan again.`
}

const begin = async (turn: Turn, { tools, work, hand }: Input, intent: Intent): Promise<Advance> => {
  const { task } = turn.step.body
  const command = turn.isUndo
    ? work.undoCommand(task, { intent, previous: hand.previous })
    : work.command(task, intent)
  const host = hostOfTask(task)
  if (command === null || host === null) return waitForHand(turn, intent)
  if ('byHand' in command) return waitForHand(turn, intent, command.byHand)
  const malformed = malformedCommand(command)
  if (malformed !== null) return waitForHand(turn, intent, malformed)
  const { joined } = await tools.hostNow(host)
  // agent.toml may have changed since the plan; then a person does it.
  if (joined === null || !allowsCommand(joined.host.inventory, command.name)) return waitForHand(turn, intent)
  return queue(turn, { host, command, intent })
}

/** What a look means for a step that an agent does. */
export const settleHand = async (turn: Turn, input: Input): Promise<Advance> => {
  const { hand, looked } = input
  const { news } = hand
  if (news !== null) turn.onPoint?.('after-effect', turn.step.position)
  const also = takeFromQueue(turn)
  if (looked.state === 'holds')
    return settleHolds(turn, news?.state === 'done' ? { ...looked, answer: wordsOf(news) } : looked, { also })
  // A step may take several commands: what is left is then another thing than what was done.
  const isNext =
    news?.state === 'done' &&
    looked.state === 'ready' &&
    canonicalJson(looked.intent) !== canonicalJson(turn.step.intent)
  if (news !== null && !isNext) return settleNews(turn, news, looked)
  if (looked.state === 'blocked' || looked.state === 'waiting') return settleBlocked(turn, looked, { also })
  if (hand.isQueued) return 'resting'
  return begin(turn, input, looked.intent)
}
