import 'server-only'
import { nextStepState, type StepEvent } from '@/lib/domain/plans/step-states'
import { type Intent, toStored } from '@/lib/domain/plans/stored-plan'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { jsonValue } from '@/lib/server/database/json-value'
import { Prisma } from '@/lib/server/prisma-client/client'
import { canonicalJson } from '@/lib/util/canonical-json'
import type { ChangeRow, StepRow } from './change-rows'

export type StepRecord = {
  event: StepEvent
  isUndo: boolean
  /** What the undo needs from now on; null: nothing is left of the step; missing: the stored one is kept. */
  intent?: Intent | null
  note?: string | null
  wayOut?: string | null
  /** The other change that wrote what blocks the step. */
  writerChangeId?: number | null
  answer?: string | null
}

const isSame = (step: StepRow, record: StepRecord, state: string): boolean =>
  record.event !== 'begin' &&
  record.event !== 'begin-undo' &&
  step.state === state &&
  step.note === (record.note ?? null) &&
  step.isUndo === record.isUndo &&
  (record.intent === undefined || canonicalJson(step.intent) === canonicalJson(record.intent))

/**
 * Writes a transition with its audit row. Resolves to the resulting step, or to null if another process has moved it
 * in the meantime; that process's record then counts. Recording the same transition again writes nothing.
 */
export const recordStep = async <Row extends StepRow>(
  { prisma, query }: Connection,
  {
    change,
    step,
    record,
    at,
    actor,
  }: { change: Pick<ChangeRow, 'id' | 'cloud'>; step: Row; record: StepRecord; at: Date; actor: Actor },
): Promise<Row | null> => {
  const state = nextStepState(step.state, record.event)
  if (state === null) throw new Error(`a step that is ${step.state} can't ${record.event}`)
  if (isSame(step, record, state)) return step
  const {
    isUndo,
    intent = step.intent,
    note = null,
    wayOut = null,
    writerChangeId = null,
    answer = step.answer,
  } = record
  const stored = intent === null ? Prisma.DbNull : jsonValue(toStored(intent))
  const moved = {
    state,
    isUndo,
    note,
    wayOut,
    writerChangeId,
    answer,
    revision: step.revision + 1,
    changedAt: at,
  }
  const { count } = await prisma.changeStep.updateMany({
    where: { changeId: change.id, position: step.position, revision: step.revision },
    data: { ...moved, ...(record.intent === undefined ? {} : { intent: stored }) },
  })
  if (count === 0) return null
  await writeAudit(query, {
    at,
    actor,
    cloud: change.cloud,
    action: `change.step.${record.event}`,
    subject: `change:${change.id}/step:${step.position + 1}`,
    before: { state: step.state },
    after: { state, title: step.body.title, intent, note, answer },
  })
  return { ...step, ...moved, intent }
}
