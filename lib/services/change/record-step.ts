import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { nextStepState, type StepEvent } from '@/lib/domain/plans/step-states'
import { type Intent, toStored } from '@/lib/domain/plans/stored-plan'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { canonicalJson } from '@/lib/util/canonical-json'
import type { ChangeRow, StepRow } from './change-rows'

const SET = `
UPDATE change_step SET state = $4, is_undo = $5, intent = $6::jsonb, note = $7, way_out = $8, answer = $9,
  revision = revision + 1, changed_at = $10::timestamptz
WHERE change_id = $1 AND position = $2 AND revision = $3 RETURNING revision`

export type StepRecord = {
  event: StepEvent
  isUndo: boolean
  /** What stands for the undo from now on; null: nothing is left of the step. */
  intent: Intent | null
  note?: string | null
  wayOut?: string | null
  answer?: string | null
}

const isSame = (step: StepRow, record: StepRecord, state: string): boolean =>
  record.event !== 'begin' &&
  record.event !== 'begin-undo' &&
  step.state === state &&
  step.note === (record.note ?? null) &&
  step.isUndo === record.isUndo &&
  canonicalJson(step.intent) === canonicalJson(record.intent)

/**
 * Writes a transition with its audit row. Resolves to the step as it then is; null when somebody else has moved it
 * meanwhile, whose word then counts. Saying the same again writes nothing.
 */
export const recordStep = async <Row extends StepRow>(
  query: Query,
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
  const { isUndo, intent, note = null, wayOut = null, answer = step.answer } = record
  const stored = intent === null ? null : JSON.stringify(toStored(intent))
  const params = [change.id, step.position, step.revision, state, isUndo, stored, note, wayOut, answer, at]
  const [row] = await query(SET, params, uncheckedRow<{ revision: number }>())
  if (row === undefined) return null
  await writeAudit(query, {
    at,
    actor,
    cloud: change.cloud,
    action: `change.step.${record.event}`,
    subject: `change:${change.id}/step:${step.position + 1}`,
    before: { state: step.state },
    after: { state, title: step.body.title, intent, note, answer },
  })
  return { ...step, state, isUndo, intent, note, wayOut, answer, revision: row.revision, changedAt: at }
}
