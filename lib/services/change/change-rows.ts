import 'server-only'
import * as z from 'zod'
import type { ChangeWindow } from '@/lib/domain/plans/change-terms'
import {
  type Intent,
  parseIntent,
  parseStoredInput,
  parseStoredPreview,
  parseStoredStep,
  type StoredStep,
} from '@/lib/domain/plans/stored-plan'
import type { PlannedStep } from '@/lib/domain/plans/types'
import type { ChangePreview } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { changeStateSchema } from '@/lib/schemas/api/change-list'
import { type ChangeState, STEP_STATES, type StepState } from '@/lib/schemas/states'
import type { Connection, PrismaConnection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Change, ChangeStep, Prisma } from '@/lib/server/prisma-client/client'

export type ChangeRow = Omit<Change, 'input' | 'preview' | 'state' | 'windowFrom' | 'windowUntil'> & {
  cloud: string
  state: ChangeState
  window: ChangeWindow | null
}

export type StepRow = Omit<ChangeStep, 'changeId' | 'body' | 'state' | 'intent'> & {
  body: StoredStep
  state: StepState
  intent: Intent | null
}

/** A step that can be run. */
export type ReadableStep = StepRow & { body: PlannedStep }

export const isReadable = (step: StepRow): step is ReadableStep => step.body.task.kind !== 'unreadable'

export const noSuchChange = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no change ${id}. Reload the list.`, { field: 'id' })

const CHANGE = {
  omit: { input: true, preview: true },
  include: { cloud: { select: { name: true } } },
} satisfies Prisma.ChangeDefaultArgs

const stepState = z.enum(STEP_STATES)

const changeRow = ({
  cloud,
  state,
  windowFrom,
  windowUntil,
  ...row
}: Prisma.ChangeGetPayload<typeof CHANGE>): ChangeRow => ({
  ...row,
  cloud: cloud.name,
  state: changeStateSchema.parse(state),
  window:
    windowFrom === null || windowUntil === null
      ? null
      : { from: windowFrom.toISOString(), until: windowUntil.toISOString() },
})

export const findChange = async (
  { prisma }: PrismaConnection,
  id: number,
): Promise<ChangeRow | undefined> => {
  const row = await prisma.change.findUnique({ where: { id }, ...CHANGE })
  return row === null ? undefined : changeRow(row)
}

/** What a change was planned from, null where it cannot be read, and what it means. */
export const findPlan = async (
  { prisma }: PrismaConnection,
  id: number,
): Promise<{ input: PlanChange | null; preview: ChangePreview }> => {
  const { kind, input, preview } = await prisma.change.findUniqueOrThrow({
    where: { id },
    select: { kind: true, input: true, preview: true },
  })
  return { input: parseStoredInput(input), preview: parseStoredPreview(kind, preview) }
}

/** The change, on which no other transaction acts until this one ends. */
export const lockChange = async (connection: Connection, id: number): Promise<ChangeRow | undefined> => {
  await lockRow(connection.query, 'change', id)
  return findChange(connection, id)
}

const STEP = { omit: { changeId: true } } satisfies Prisma.ChangeStepDefaultArgs

const stepRow = (row: Prisma.ChangeStepGetPayload<typeof STEP>): StepRow => ({
  ...row,
  ...parseStoredStep(row),
  state: stepState.parse(row.state),
})

/** All steps of a change, or those at some positions. */
export const listSteps = async (
  { prisma }: PrismaConnection,
  changeId: number,
  positions?: readonly number[],
): Promise<StepRow[]> => {
  const rows = await prisma.changeStep.findMany({
    where: { changeId, ...(positions === undefined ? {} : { position: { in: [...positions] } }) },
    orderBy: { position: 'asc' },
    ...STEP,
  })
  return rows.map(stepRow)
}

/** Steps that are loaded at once. */
const STEP_PAGE = 200

/** All steps of a change, loaded in parts, so that the process answers in between. */
export async function* eachStep({ prisma }: PrismaConnection, changeId: number): AsyncGenerator<StepRow> {
  let last = -1
  for (;;) {
    const rows = await prisma.changeStep.findMany({
      where: { changeId, position: { gt: last } },
      orderBy: { position: 'asc' },
      take: STEP_PAGE,
      ...STEP,
    })
    for (const row of rows) yield stepRow(row)
    last = rows.at(-1)?.position ?? last
    if (rows.length < STEP_PAGE) return
  }
}

export const findStep = async (
  { prisma }: PrismaConnection,
  { changeId, position }: { changeId: number; position: number },
): Promise<StepRow | undefined> => {
  const where = { changeId_position: { changeId, position } }
  const row = await prisma.changeStep.findUnique({ where, ...STEP })
  return row === null ? undefined : stepRow(row)
}

/** What a step did or was about to do. */
export const findIntent = async (
  { prisma }: PrismaConnection,
  changeId: number,
  stepId: string,
): Promise<ReturnType<typeof parseIntent>> => {
  const step = await prisma.changeStep.findFirst({
    where: { changeId, body: { path: ['id'], equals: stepId } },
    select: { intent: true },
  })
  return parseIntent(step?.intent ?? null)
}
