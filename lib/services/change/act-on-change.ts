import 'server-only'
import {
  actionLabel,
  type ChangeAction,
  isActiveChange,
  nextChangeState,
  whyNotAct,
} from '@/lib/domain/plans/change-states'
import { whyNotStart } from '@/lib/domain/plans/change-terms'
import { actorLabel } from '@/lib/domain/wording'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type ActOnChange, actOnChangeSchema } from '@/lib/schemas/api/change-inputs'
import type { ChangeState } from '@/lib/schemas/states'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import {
  type Actor,
  describeActor,
  type ServiceContext,
  seesCloud,
} from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { commandInHand } from '@/lib/services/agent-command/command-rows'
import { expireCommands, withdrawCommands } from '@/lib/services/agent-command/end-commands'
import { queueChange } from '@/lib/services/webhook-outbox/queue-change'
import { type ChangeRow, lockChange, noSuchChange } from './change-rows'
import { giveClaimsBack, takeClaims } from './claims'
import { getChange } from './get-change'

/** Actions after which the console calls OpenStack with the token of the person who requested them. */
const MAKES_CALLS: readonly ChangeAction[] = ['start', 'go-on', 'roll-back']

/** What every action of a person writes into the change. */
export const actedOn = ({ action, by, at }: { action: string; by: string; at: Date }) =>
  ({
    version: { increment: 1 },
    lastAction: action,
    lastBy: by,
    lastAt: at,
  }) satisfies Prisma.ChangeUpdateInput

/** A second click or a repeated request: the same person did the same on the same version, and it was the last action. */
const isRepeat = (
  ctx: ServiceContext,
  change: ChangeRow,
  { version, action }: { version: number; action: string },
): boolean =>
  change.version === version + 1 && change.lastAction === action && change.lastBy === describeActor(ctx.actor)

/** The change under a lock, if its version is the one that the person saw; null: the action was carried out already. */
export const lockSeen = async (
  ctx: ServiceContext,
  connection: Connection,
  { id, version, action }: { id: number; version: number; action: string },
): Promise<ChangeRow | null> => {
  const change = await lockChange(connection, id)
  if (change === undefined || !seesCloud(ctx.actor, change.cloud)) throw noSuchChange(id)
  if (isRepeat(ctx, change, { version, action })) return null
  if (change.version !== version)
    throw new ServiceError(
      'conflict',
      `Change ${id} has changed: ${actorLabel(change.lastBy)} selected "${actionLabel(change.lastAction)}" at ${change.lastAt.toISOString()}. Reload it, then try again.`,
    )
  return change
}

/** Whose token the calls carry. Placement takes that of a project only. */
export const callerOf = (
  ctx: ServiceContext,
  isByHand: boolean,
): { sessionId: number | null; runBy: string } => {
  const runBy = describeActor(ctx.actor)
  const account = ctx.actor.kind === 'user' ? ctx.actor.account : undefined
  if (account === undefined || isByHand) return { sessionId: null, runBy }
  if (account.scope?.kind !== 'project')
    throw new ServiceError(
      'precondition',
      'Placement requires a project-scoped token, and you are signed in to the system. Switch to a project where you are an admin, then start.',
    )
  // change.run is personal, so it is a session.
  return { sessionId: account.source.kind === 'session' ? account.source.sessionId : null, runBy }
}

const hold = async (connection: Connection, change: ChangeRow, next: ChangeState): Promise<void> => {
  if (isActiveChange(next) && !isActiveChange(change.state)) await takeClaims(connection, change)
  if (!isActiveChange(next) && isActiveChange(change.state)) await giveClaimsBack(connection, change.id)
}

/** The terms do not limit a person who works manually. A roll back is always allowed. */
const checkTerms = (change: ChangeRow, { isByHand, at }: { isByHand: boolean; at: Date }): void => {
  const refusal = whyNotStart(isByHand ? { ...change, window: null } : change, at)
  if (refusal !== null) throw new ServiceError('precondition', refusal)
}

/** A command that an agent may be running cannot be withdrawn: its pGPU stays claimed until the command has ended. */
export const refuseInHand = async (
  connection: Connection,
  { id, at, actor, position }: { id: number; at: Date; actor: Actor; position?: number },
): Promise<void> => {
  await expireCommands(connection, { changeId: id, at, actor })
  const held = await commandInHand(connection, { changeId: id, position })
  if (held === undefined) return
  throw new ServiceError(
    'conflict',
    `The agent of ${held.host} has the command of step ${held.position + 1} and may be running it. Wait for its answer, at most until two minutes after ${held.expiresAt.toISOString()}.`,
  )
}

/** Starts, stops, continues, rolls back or drops a change. Of two people who saw the same version exactly one does. */
export const actOnChange = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: ActOnChange },
): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.run')
  const { action, version, isByHand: requested } = parseInput(actOnChangeSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const change = await lockSeen(ctx, connection, { id, version, action })
    if (change === null) return
    const next = nextChangeState(change.state, action)
    if (next === null)
      throw new ServiceError(
        'conflict',
        whyNotAct(change.state, action) ?? 'This action is not available now.',
      )
    const isByHand = action === 'start' ? requested === true : change.isByHand
    if (next === 'running') checkTerms(change, { isByHand, at })
    const caller = MAKES_CALLS.includes(action)
      ? callerOf(ctx, isByHand)
      : { sessionId: change.sessionId, runBy: change.runBy }
    if (action === 'drop') await refuseInHand(connection, { id, at, actor: ctx.actor })
    await withdrawCommands(connection, { changeId: id, at, actor: ctx.actor })
    await hold(connection, change, next)
    const by = describeActor(ctx.actor)
    await connection.prisma.change.update({
      where: { id },
      data: {
        ...actedOn({ action, by, at }),
        ...caller,
        state: next,
        isByHand,
        stopReason: null,
        startedAt: change.startedAt ?? (action === 'start' ? at : null),
        endedAt: next === 'dropped' ? at : null,
      },
      select: { id: true },
    })
    await queueChange(connection.query, { change, next, by, reason: null, at })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: change.cloud,
      action: `change.${action}`,
      subject: `change:${id}`,
      before: { cloud: change.cloud, state: change.state },
      after: { state: next, isByHand },
    })
  })
  return getChange(ctx, { id })
}
