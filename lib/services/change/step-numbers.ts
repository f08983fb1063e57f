import 'server-only'
import * as z from 'zod'
import { phaseOfStep, type StepPhase } from '@/lib/domain/plans/step-phase'
import { summarizeHosts } from '@/lib/domain/plans/summarize-steps'
import type { StepSummary } from '@/lib/schemas/api/change-steps'
import { STEP_STATES } from '@/lib/schemas/states'
import type { Connection } from '@/lib/server/database/database'

type Queries = Pick<Connection, 'query'>

const stepState = z.enum(STEP_STATES)

// SQL: groups. A change may have 10,000 steps, and each turn and each request of its page asks how far it is.
const STANDINGS = `
SELECT state, is_undo AS "isUndo", intent IS NOT NULL AS "hasEffect", count(*)::int AS steps,
  min(position) AS first, max(position) AS last
FROM change_step WHERE change_id = $1 GROUP BY 1, 2, 3`

const statusRow = z.object({
  state: stepState,
  isUndo: z.boolean(),
  /** Something of it is left to undo. */
  hasEffect: z.boolean(),
  steps: z.int(),
  first: z.int(),
  last: z.int(),
})

/** The steps of a change in the same state: how many, the first and the last. */
export type StepStatus = z.infer<typeof statusRow>

export const listStandings = ({ query }: Queries, changeId: number): Promise<StepStatus[]> =>
  query(STANDINGS, [changeId], statusRow)

const CHARACTERS = `
SELECT coalesce(sum(length(body->>'calls') + length(body->>'command') + length(body->>'undoCommand')), 0)::int AS count
FROM change_step WHERE change_id = $1`

/** Characters of the calls and commands of a change. */
export const countCharacters = async ({ query }: Queries, changeId: number): Promise<number> => {
  const [row] = await query(CHARACTERS, [changeId], z.object({ count: z.int() }))
  return row?.count ?? 0
}

type EdgeStep = Pick<StepStatus, 'state' | 'isUndo' | 'hasEffect'> & { position: number }

/** The first and the last step of each state, by position: one that is found by its state is among them. */
export const edgeSteps = (standings: readonly StepStatus[]): EdgeStep[] =>
  standings
    .flatMap(({ first, last, steps: _, ...status }) =>
      [...new Set([first, last])].map((position) => ({ ...status, position })),
    )
    .toSorted((a, b) => a.position - b.position)

const HOST = `body->'task'->>'host'`

/** The kind of a step, which shows its phase. */
const KIND = `split_part(coalesce(body->>'id', ''), '/', 1)`

const HOSTS = `
SELECT ${HOST} AS host, ${KIND} AS id, state, count(*)::int AS steps, max(changed_at) AS "changedAt"
FROM change_step WHERE change_id = $1 GROUP BY 1, 2, 3 ORDER BY min(position)`

const hostRow = z.object({
  host: z.string().nullable(),
  id: z.string(),
  state: stepState,
  steps: z.int(),
  changedAt: z.date().nullable(),
})

/** The steps of a change by host and phase. */
export const listStepHosts = async ({ query }: Queries, changeId: number): Promise<StepSummary['hosts']> =>
  summarizeHosts(await query(HOSTS, [changeId], hostRow))

const TASKS = `
SELECT coalesce(body->'task'->>'kind', 'unreadable') AS kind, body->>'doer' AS doer, count(*)::int AS steps
FROM change_step WHERE change_id = $1 GROUP BY 1, 2 ORDER BY min(position)`

const taskRow = z.object({
  kind: z.string(),
  doer: z.enum(['console', 'agent', 'operator']).catch('operator'),
  steps: z.int(),
})

/** The steps of a change by kind and doer. */
export const listStepTasks = ({ query }: Queries, changeId: number): Promise<StepSummary['tasks']> =>
  query(TASKS, [changeId], taskRow)

const BATCH_HOSTS = `
SELECT ${HOST} AS host, bool_or(state IN ('done', 'skipped')) AS "isEnded", max(changed_at) AS "changedAt"
FROM change_step WHERE change_id = $1 AND ${HOST} IS NOT NULL AND body->'task'->>'kind' <> 'close-service'
GROUP BY 1 ORDER BY min(position)`

const batchHostRow = z.object({ host: z.string(), isEnded: z.boolean(), changedAt: z.date().nullable() })

/** Hosts in the order of their steps, without those that disable scheduling: whether one has ended, and the last change. */
export const listBatchHosts = (
  { query }: Queries,
  changeId: number,
): Promise<z.infer<typeof batchHostRow>[]> => query(BATCH_HOSTS, [changeId], batchHostRow)

const positionRow = z.object({ position: z.int() })

const OF_HOST = `
SELECT position, ${KIND} AS id FROM change_step
WHERE change_id = $1 AND ($2::text IS NULL OR coalesce(${HOST}, '') = $2) ORDER BY position`

/** Positions of all steps, or of those on a host, empty: on no host, and in a phase. */
export const listPositions = async (
  { query }: Queries,
  changeId: number,
  { host, phase }: { host: string | null; phase: StepPhase | null },
): Promise<z.infer<typeof positionRow>[]> => {
  const steps = await query(OF_HOST, [changeId, host], positionRow.extend({ id: z.string() }))
  return phase === null ? steps : steps.filter((step) => phaseOfStep(step) === phase)
}

// Pending steps until the first that is surely unseen.
const PENDING = `
SELECT position FROM change_step WHERE change_id = $1 AND state = 'pending' AND position <= coalesce(
  (SELECT min(position) FROM change_step WHERE change_id = $1 AND state = 'pending'
    AND body->'task'->>'kind' IS DISTINCT FROM 'open-service'), 100000)`

const RESTARTED = `
SELECT position FROM change_step
WHERE change_id = $1 AND state = 'done' AND body->'task'->>'kind' = 'restart-nova'`

/** Positions of the steps of a manual change that may be checked next, before the first is done or undone. */
export const listUnseen = async (
  { query }: Queries,
  changeId: number,
  isUndo: boolean,
): Promise<number[]> => {
  const rows = await query(isUndo ? RESTARTED : PENDING, [changeId], positionRow)
  return rows.map(({ position }) => position)
}
