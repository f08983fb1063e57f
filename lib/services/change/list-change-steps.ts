import 'server-only'
import { firstSteps } from '@/lib/domain/plans/first-steps'
import { type ChangeSteps, MAX_ANSWERED_CHARACTERS } from '@/lib/schemas/api/change-steps'
import { type ChangeStepScope, changeStepScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { pageOf } from '@/lib/util/page-of'
import { listSteps } from './change-rows'
import { loadChange } from './get-change'
import { stepDto } from './step-dto'
import { listPositions } from './step-numbers'

/** A page of the steps of one change, or of those on one host or in one phase; of steps with long texts fewer. */
export const listChangeSteps = async (
  ctx: ServiceContext,
  { id, ...input }: { id: number } & ChangeStepScope,
): Promise<ChangeSteps> => {
  requirePermission(ctx, 'fleet.read')
  const { host = null, phase = null, limit, cursor } = parseInput(changeStepScopeSchema, input)
  await loadChange(ctx, id)
  const found = await listPositions(ctx.database, id, { host, phase })
  const pageWith = (count: number) =>
    pageOf(found, { limit: count, cursor, keyOf: ({ position }) => position })
  const loaded = await listSteps(
    ctx.database,
    id,
    pageWith(limit).rows.map(({ position }) => position),
  )
  const steps = firstSteps(loaded.map(stepDto), MAX_ANSWERED_CHARACTERS)
  const { total, next } = pageWith(steps.length)
  return { total, next, steps }
}
