import 'server-only'
import type { ChangeState } from '@/lib/domain/plans/change-states'
import type { StepState } from '@/lib/domain/plans/step-states'
import type { PlannedStep } from '@/lib/domain/plans/types'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { Query } from '@/lib/server/database/database'
import type { Intent } from './works/step-work'

export type ChangeRow = {
  id: number
  cloudId: number
  cloud: string
  kind: string
  title: string
  preview: ChangeDetail['preview']
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
}

export type StepRow = {
  position: number
  body: PlannedStep
  state: StepState
  isUndo: boolean
  intent: Intent | null
  note: string | null
  wayOut: string | null
  answer: string | null
  revision: number
  changedAt: Date | null
}

export const CHANGE_COLUMNS = `
ch.id, ch.cloud_id AS "cloudId", c.name AS cloud, ch.kind, ch.title, ch.preview, ch.state,
ch.is_by_hand AS "isByHand", ch.version, ch.last_action AS "lastAction", ch.last_by AS "lastBy", ch.last_at AS "lastAt",
ch.made_by AS "madeBy", ch.made_at AS "madeAt", ch.started_at AS "startedAt", ch.ended_at AS "endedAt",
ch.session_id AS "sessionId", ch.run_by AS "runBy", ch.stop_reason AS "stopReason"`

const FIND = `SELECT ${CHANGE_COLUMNS} FROM change ch JOIN cloud c ON c.id = ch.cloud_id WHERE ch.id = $1`

const STEPS = `
SELECT position, body, state, is_undo AS "isUndo", intent, note, way_out AS "wayOut", answer, revision,
  changed_at AS "changedAt" FROM change_step WHERE change_id = $1 ORDER BY position`

/** `locked`: until the transaction ends nobody else acts on it. */
export const findChange = async (
  query: Query,
  id: number,
  { locked = false }: { locked?: boolean } = {},
): Promise<ChangeRow | undefined> =>
  (await query<ChangeRow>(locked ? `${FIND} FOR NO KEY UPDATE OF ch` : FIND, [id]))[0]

export const listSteps = (query: Query, changeId: number): Promise<StepRow[]> =>
  query<StepRow>(STEPS, [changeId])
