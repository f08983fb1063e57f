import 'server-only'
import { toStored } from '@/lib/domain/plans/stored-plan'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { jsonValue } from '@/lib/server/database/json-value'
import { parseInput } from '@/lib/server/errors/parse-input'
import { getChange } from './get-change'
import { planChange, previewOf } from './plan-change'
import { refuseEmpty, saveChange } from './save-change'

/** The second click of a double click comes within this. */
const REPEATED_WITHIN_MS = 10_000

// SQL: Prisma's client has no locks. One plan of a person at a time, so that two requests at once do not both save it.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('create-change ' || $1))`

const saveOnce = async (
  ctx: ServiceContext,
  connection: Connection,
  { cloud, input, plan }: Parameters<typeof saveChange>[2],
): Promise<number> => {
  const by = describeActor(ctx.actor)
  await connection.query(LOCK, [by])
  const saved = await connection.prisma.change.findFirst({
    where: {
      cloudId: cloud.id,
      madeBy: by,
      input: { equals: jsonValue(toStored(input)) },
      preview: { equals: jsonValue(toStored(previewOf(plan))) },
      state: 'planned',
      madeAt: { gt: new Date(ctx.now().getTime() - REPEATED_WITHIN_MS) },
    },
    select: { id: true },
    orderBy: { id: 'desc' },
  })
  return saved?.id ?? saveChange(ctx, connection, { cloud, input, plan })
}

/** Saves a plan for review. Nothing is written in the cloud, and no pGPU is held yet. */
export const createChange = async (ctx: ServiceContext, body: PlanChange): Promise<ChangeDetail> => {
  requirePermission(ctx, 'change.plan')
  const input = parseInput(planChangeSchema, body)
  const { cloud, plan } = await planChange(ctx, input)
  refuseEmpty(plan)
  const id = await ctx.database.transaction((connection) => saveOnce(ctx, connection, { cloud, input, plan }))
  return getChange(ctx, { id })
}
