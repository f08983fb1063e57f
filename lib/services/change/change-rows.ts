import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ChangeState } from '@/lib/domain/plans/change-states'
import type { ChangeWindow } from '@/lib/domain/plans/change-terms'
import type { StepState } from '@/lib/domain/plans/step-states'
import {
  type Intent,
  parseStoredPreview,
  parseStoredStep,
  type StoredStep,
} from '@/lib/domain/plans/stored-plan'
import type { PlannedStep } from '@/lib/domain/plans/types'
import type { ChangePreview } from '@/lib/schemas/api/change'
import type { Query } from '@/lib/server/database/database'

export type ChangeRow = {
  id: number
  cloudId: number
  cloud: string
  kind: string
  title: string
  /** Null: it can't be read. */
  preview: ChangePreview | null
  state: ChangeState
  isByHand: boolean
  version: number
  lastAction: string
  lastBy: string
  lastAt: Date
  madeBy: string
  madeAt: Date
  startedAt: Date | null
  endedAt: Date | null
  sessionId: number | null
  runBy: string | null
  stopReason: string | null
  needsApproval: boolean
  approvedBy: string | null
  approvedAt: Date | null
  window: ChangeWindow | null
  batchHosts: number | null
}

export type StepRow = {
  position: number
  body: StoredStep
  state: StepState
  isUndo: boolean
  intent: Intent | null
  note: string | null
  wayOut: string | null
  answer: string | null
  revision: number
  changedAt: Date | null
}

/** A step that can be run. */
export type ReadableStep = StepRow & { body: PlannedStep }

export const isReadable = (step: StepRow): step is ReadableStep => step.body.task.kind !== 'unreadable'

const ISO = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const CHANGE_COLUMNS = `
ch.id, ch.cloud_id AS "cloudId", c.name AS cloud, ch.kind, ch.title, ch.preview, ch.state,
ch.is_by_hand AS "isByHand", ch.version, ch.last_action AS "lastAction", ch.last_by AS "lastBy", ch.last_at AS "lastAt",
ch.made_by AS "madeBy", ch.made_at AS "madeAt", ch.started_at AS "startedAt", ch.ended_at AS "endedAt",
ch.session_id AS "sessionId", ch.run_by AS "runBy", ch.stop_reason AS "stopReason",
ch.needs_approval AS "needsApproval", ch.approved_by AS "approvedBy", ch.approved_at AS "approvedAt",
CASE WHEN ch.window_from IS NOT NULL THEN jsonb_build_object('from', ${ISO('ch.window_from')}, 'until', ${ISO('ch.window_until')}) END AS window,
ch.batch_hosts AS "batchHosts"`

const FIND = `SELECT ${CHANGE_COLUMNS} FROM change ch JOIN cloud c ON c.id = ch.cloud_id WHERE ch.id = $1`

const STEPS = `
SELECT position, body, state, is_undo AS "isUndo", intent, note, way_out AS "wayOut", answer, revision,
  changed_at AS "changedAt" FROM change_step WHERE change_id = $1 ORDER BY position`

/** `locked`: until the transaction ends nobody else acts on it. */
export const findChange = async (
  query: Query,
  id: number,
  { locked = false }: { locked?: boolean } = {},
): Promise<ChangeRow | undefined> => {
  const sql = locked ? `${FIND} FOR NO KEY UPDATE OF ch` : FIND
  const [row] = await query(sql, [id], uncheckedRow<Omit<ChangeRow, 'preview'> & { preview: unknown }>())
  return row === undefined ? undefined : { ...row, preview: parseStoredPreview(row.preview) }
}

export const listSteps = async (query: Query, changeId: number): Promise<StepRow[]> => {
  type Row = Omit<StepRow, 'body' | 'intent'> & { body: unknown; intent: unknown }
  const rows = await query(STEPS, [changeId], uncheckedRow<Row>())
  return rows.map((row) => ({ ...row, ...parseStoredStep(row) }))
}
