import type { CommandOrder, CommandResult, SignedCommand } from '@/lib/schemas/agent/command'
import { type AgentLog, reasonOf } from '../commands/run-log'
import { createQueue } from '../spool/queue'
import type { CommandHost } from './command-host'
import { executeCommand } from './execute-command'
import type { Journal } from './journal'
import { verifyOrder } from './verify-order'

export type CommandExecutorOptions = {
  host: CommandHost
  journal: Journal
  /** The public key of the console that this host is enrolled with; null: not received yet. */
  key: () => string | null
  hostName: () => string | null
  now?: () => Date
  /** Something was carried out: scan the host and notify the console. */
  onEnded: () => void
  /** Where a test ends the process. */
  onStage?: (stage: 'before-effect' | 'after-effect') => void
  log: AgentLog
}

/** Takes the console's commands, carries each out once, one after the other, and keeps the results until the console has taken them. */
export type CommandExecutor = {
  take: (commands: readonly SignedCommand[]) => void
  /** Runs alone: no command is carried out at the same time. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** A scan that began after the last effect has ended: results of commands may be sent. */
  scanned: () => void
  /** The next result to send. Results wait for a scan, so that the console never holds an answer without its effect. */
  result: () => CommandResult | null
  reported: (id: string) => Promise<void>
  /** Resolves when nothing is being carried out; true when something was since the last call. */
  idle: () => Promise<boolean>
}

export const createCommandExecutor = (options: CommandExecutorOptions): CommandExecutor => {
  const { host, journal, log, now = () => new Date() } = options
  const queue = createQueue()
  let isScanned = true
  let hasWorked = false
  /** Ids that are waiting or being carried out in this process. */
  const busy = new Set<string>()
  /** What was refused before anything was believed or begun; needs no disk. */
  const refusals = new Map<string, CommandResult>()

  const refuse = (id: string, message: string): void => {
    refusals.set(id, { id, outcome: 'refused', message: message.slice(0, 1000), output: '' })
    log.warn(`A command is refused: ${message}`)
    options.onEnded()
  }

  const carryOut = async (order: CommandOrder): Promise<void> => {
    const { id, command, step } = order
    try {
      await journal.begin(order, now())
    } catch (error) {
      refuse(
        id,
        `The command could not be noted on this host's disk, so nothing was done: ${reasonOf(error)}.`,
      )
      return
    }
    log.info(`Carrying out ${command.name} for ${step}.`)
    options.onStage?.('before-effect')
    const result = await executeCommand(host, command)
    options.onStage?.('after-effect')
    isScanned = false
    hasWorked = true
    log.info(`${command.name} for ${step}: ${result.outcome}. ${result.message}`)
    await journal
      .end({ id, ...result })
      .catch((error: unknown) => log.warn(`The result of a command could not be stored: ${reasonOf(error)}.`))
    options.onEnded()
  }

  const takeOne = (signed: SignedCommand): void => {
    const verdict = verifyOrder(signed, {
      key: options.key(),
      hostName: options.hostName() ?? '',
      now: now(),
    })
    const id = verdict.kind === 'genuine' ? verdict.order.id : verdict.id
    if (id === null || busy.has(id) || refusals.has(id)) return
    if (journal.has(id)) {
      // It comes again because its result is still on the way, or was lost over there.
      const isWaiting = journal.unreported().some((result) => result.id === id)
      if (!isWaiting) journal.reportAgain(id).then(options.onEnded, (error) => log.warn(reasonOf(error)))
      return
    }
    if (verdict.kind === 'refused') {
      refuse(id, verdict.reason)
      return
    }
    busy.add(id)
    queue
      .add(() => carryOut(verdict.order))
      .then(
        () => busy.delete(id),
        (error) => log.warn(`A command failed: ${reasonOf(error)}.`),
      )
  }

  return {
    take: (commands) => commands.forEach(takeOne),
    alone: queue.add,
    scanned: () => {
      isScanned = true
    },
    result: () => {
      const [refusal] = refusals.values()
      if (refusal !== undefined) return refusal
      return isScanned ? (journal.unreported()[0] ?? null) : null
    },
    reported: async (id) => {
      if (!refusals.delete(id)) await journal.reported(id)
    },
    idle: async () => {
      await queue.idle()
      const worked = hasWorked
      hasWorked = false
      return worked
    },
  }
}
