import 'server-only'
import type { ChangeSteps } from '@/lib/schemas/api/change-steps'
import { type ChangeStepScope, changeStepScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { pageOf } from '@/lib/util/page-of'
import { listStepStates, listSteps } from './change-rows'
import { loadChange } from './get-change'
import { stepDto } from './step-dto'

/** A page of the steps of one change, or of those on one host. */
export const listChangeSteps = async (
  ctx: ServiceContext,
  { id, ...input }: { id: number } & ChangeStepScope,
): Promise<ChangeSteps> => {
  requirePermission(ctx, 'fleet.read')
  const { host: wanted, limit, cursor } = parseInput(changeStepScopeSchema, input)
  await loadChange(ctx, id)
  const states = await listStepStates(ctx.database, id)
  const found = wanted === undefined ? states : states.filter(({ host }) => (host ?? '') === wanted)
  const { rows, total, next } = pageOf(found, { limit, cursor, keyOf: ({ position }) => position })
  const steps = await listSteps(
    ctx.database,
    id,
    rows.map(({ position }) => position),
  )
  return { total, next, steps: steps.map(stepDto) }
}
