import 'server-only'
import { previewExcerpt } from '@/lib/domain/plans/preview-excerpt'
import { stepInHand } from '@/lib/domain/plans/step-in-hand'
import type { ChangeDetail, ChangeProgress } from '@/lib/schemas/api/change'
import { MAX_ANSWERED_CHARACTERS, MAX_ANSWERED_STEPS } from '@/lib/schemas/api/change-steps'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { type ChangeRow, findChange, findPlan, listSteps, noSuchChange } from './change-rows'
import { estimateRemaining } from './estimate-remaining'
import { stepDto } from './step-dto'
import {
  countCharacters,
  edgeSteps,
  listStandings,
  listStepHosts,
  listStepTasks,
  type StepStatus,
} from './step-numbers'

/** The change that the caller sees. For services that have checked the permission. */
export const loadChange = async (ctx: ServiceContext, id: number): Promise<ChangeRow> => {
  const change = await findChange(ctx.database, id)
  if (change === undefined || !seesCloud(ctx.actor, change.cloud)) throw noSuchChange(id)
  return change
}

const sumOf = (standings: readonly StepStatus[]): number =>
  standings.reduce((sum, { steps }) => sum + steps, 0)

const effectsOf = (standings: readonly StepStatus[]): ChangeProgress['effects'] => {
  const left = standings.filter(({ hasEffect }) => hasEffect)
  return left.length === 0
    ? null
    : {
        steps: sumOf(left),
        first: Math.min(...left.map(({ first }) => first)),
        last: Math.max(...left.map(({ last }) => last)),
      }
}

const progressOf = async (ctx: ServiceContext, change: ChangeRow): Promise<ChangeProgress> => {
  const { cloudId: _, sessionId: _session, lastAt, madeAt, startedAt, endedAt, approvedAt, ...row } = change
  const standings = await listStandings(ctx.database, change.id)
  const current = stepInHand({ state: change.state, steps: edgeSteps(standings) })
  const stepCount = sumOf(standings)
  const isSmall =
    stepCount <= MAX_ANSWERED_STEPS &&
    (await countCharacters(ctx.database, change.id)) <= MAX_ANSWERED_CHARACTERS
  const wanted = isSmall || current === undefined ? [] : [current.position]
  const steps = (await listSteps(ctx.database, change.id, isSmall ? undefined : wanted)).map(stepDto)
  return {
    ...row,
    lastAt: lastAt.toISOString(),
    madeAt: madeAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    approvedAt: approvedAt?.toISOString() ?? null,
    stepCount,
    hosts: await listStepHosts(ctx.database, change.id),
    tasks: await listStepTasks(ctx.database, change.id),
    currentStep: steps.find(({ position }) => position === current?.position) ?? null,
    remainingSeconds:
      change.state === 'running' && !change.isByHand
        ? await estimateRemaining(ctx.database, { cloudId: change.cloudId, changeId: change.id })
        : null,
    effects: effectsOf(standings),
    steps: isSmall ? steps : [],
  }
}

/** How far one change is, without its plan. */
export const getChangeProgress = async (
  ctx: ServiceContext,
  { id }: { id: number },
): Promise<ChangeProgress> => {
  requirePermission(ctx, 'fleet.read')
  return progressOf(ctx, await loadChange(ctx, id))
}

/** One change: what it was planned from, what it means, and how far it is. */
export const getChange = async (ctx: ServiceContext, { id }: { id: number }): Promise<ChangeDetail> => {
  requirePermission(ctx, 'fleet.read')
  const change = await loadChange(ctx, id)
  const { input, preview } = await findPlan(ctx.database, id)
  return { ...(await progressOf(ctx, change)), input, preview: previewExcerpt(preview) }
}
