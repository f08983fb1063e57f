import 'server-only'
import * as z from 'zod'
import type { ChangeWindow } from '@/lib/domain/plans/change-terms'
import {
  type Intent,
  parseIntent,
  parseStoredPreview,
  parseStoredStep,
  type StoredStep,
} from '@/lib/domain/plans/stored-plan'
import type { PlannedStep } from '@/lib/domain/plans/types'
import type { ChangePreview } from '@/lib/schemas/api/change'
import { CHANGE_STATES, type ChangeState, STEP_STATES, type StepState } from '@/lib/schemas/states'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Change, ChangeStep, Prisma } from '@/lib/server/prisma-client/client'

export type ChangeRow = Omit<Change, 'input' | 'preview' | 'state' | 'windowFrom' | 'windowUntil'> & {
  cloud: string
  preview: ChangePreview
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
  omit: { input: true },
  include: { cloud: { select: { name: true } } },
} satisfies Prisma.ChangeDefaultArgs

const changeState = z.enum(CHANGE_STATES)
const stepState = z.enum(STEP_STATES)

const changeRow = ({
  cloud,
  preview,
  state,
  windowFrom,
  windowUntil,
  ...row
}: Prisma.ChangeGetPayload<typeof CHANGE>): ChangeRow => ({
  ...row,
  cloud: cloud.name,
  preview: parseStoredPreview(row.kind, preview),
  state: changeState.parse(state),
  window:
    windowFrom === null || windowUntil === null
      ? null
      : { from: windowFrom.toISOString(), until: windowUntil.toISOString() },
})

export const findChange = async (
  { prisma }: Pick<Connection, 'prisma'>,
  id: number,
): Promise<ChangeRow | undefined> => {
  const row = await prisma.change.findUnique({ where: { id }, ...CHANGE })
  return row === null ? undefined : changeRow(row)
}

/** The change, on which no other transaction acts until this one ends. */
export const lockChange = async (connection: Connection, id: number): Promise<ChangeRow | undefined> => {
  await lockRow(connection.query, 'change', id)
  return findChange(connection, id)
}

export const listSteps = async (
  { prisma }: Pick<Connection, 'prisma'>,
  changeId: number,
): Promise<StepRow[]> => {
  const rows = await prisma.changeStep.findMany({
    where: { changeId },
    omit: { changeId: true },
    orderBy: { position: 'asc' },
  })
  return rows.map((row) => ({ ...row, ...parseStoredStep(row), state: stepState.parse(row.state) }))
}

/** What a step did or was about to do. */
export const findIntent = async (
  { prisma }: Pick<Connection, 'prisma'>,
  changeId: number,
  stepId: string,
): Promise<ReturnType<typeof parseIntent>> => {
  const step = await prisma.changeStep.findFirst({
    where: { changeId, body: { path: ['id'], equals: stepId } },
    select: { intent: true },
  })
  return parseIntent(step?.intent ?? null)
}
