import { pino } from 'pino'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import type { Connection, Database } from '@/lib/server/database/database'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { resolveHost } from '@/lib/server/webhook/allowed-address'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { approveChange } from '@/lib/services/change/approve-change'
import {
  type ChangeRow,
  findChange,
  isReadable,
  listSteps,
  type ReadableStep,
  type StepRow,
} from '@/lib/services/change/change-rows'
import { endChange } from '@/lib/services/change/end-change'
import { recordStep, type StepRecord } from '@/lib/services/change/record-step'
import { saveChange } from '@/lib/services/change/save-change'
import { actorOf } from '@/lib/services/change/turn'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import type { PastChange } from '@/simulator/past/past-change'
import { pastStep, pastStepBack } from './past-steps'

const personOf = (name: string): Actor => ({ kind: 'user', name, roles: ['admin'] })

/** A person at a moment of the past. */
export const contextThen = (
  database: Database,
  { by, at, approvesChanges = false }: { by: string; at: number; approvesChanges?: boolean },
): ServiceContext => ({
  database,
  actor: personOf(by),
  now: () => new Date(at),
  log: pino({ level: 'silent' }),
  requestId: 'past',
  silentAfterSeconds: 120,
  samplesEverySeconds: 60,
  staleAfterMs: 300_000,
  approvesChanges,
  reviewTimeZone: 'UTC',
  dashboards: [],
  webhooks: {
    box: createSecretBox(['webhooks of a past receive nothing']),
    named: [],
    consoleUrl: null,
    resolve: resolveHost,
  },
  accounts: [],
  signIn: null,
})

/**
 * What happens within one transaction, as services see a database. Of the client, a transaction lacks the methods that open or
 * close connections and transactions, and services call none of these.
 */
export const databaseWithin = (database: Database, { prisma, query }: Connection): Database => ({
  ...database,
  prisma: prisma as Database['prisma'],
  query,
  history: query,
  transaction: (work) => work({ prisma, query }),
})

type Run = { within: Database; change: ChangeRow; actor: Actor }

const record = async <Row extends StepRow>(
  { within, change, actor }: Run,
  step: Row,
  what: { at: number; record: StepRecord },
) => {
  const recorded = await recordStep(within, {
    change,
    step,
    actor,
    record: what.record,
    at: new Date(what.at),
  })
  if (recorded === null)
    throw new Error(`another console has moved step ${step.position + 1} of a past change`)
  return recorded
}

/** From intent to outcome: a step of a person waits for it; a check of others has no intent. */
const doStep = async (
  run: Run,
  step: ReadableStep,
  { from, at }: { from: number; at: number },
): Promise<ReadableStep> => {
  const { body } = step
  const { intent, answer } = pastStep(body.task, at)
  const begun = Math.round(from + (at - from) * 0.2)
  const done: StepRecord = { event: 'happened', isUndo: false, intent, answer }
  if (intent === null) return record(run, step, { at, record: done })
  const before: StepRecord =
    body.doer === 'console'
      ? { event: 'begin', isUndo: false, intent }
      : {
          event: 'wait',
          isUndo: false,
          intent,
          note: 'Waiting for you to do the step. The console checks again automatically.',
          wayOut: body.command,
        }
  return record(run, await record(run, step, { at: begun, record: before }), { at, record: done })
}

const takeBack = async (run: Run, steps: readonly ReadableStep[], at: number): Promise<number> => {
  let now = at
  for (const step of steps.toReversed()) {
    const answer = pastStepBack(step.body.task)
    if (step.intent === null || answer === null) continue
    const { intent } = step
    now += 4000
    const begun = await record(run, step, { at: now, record: { event: 'begin-undo', isUndo: true, intent } })
    now += 2000
    await record(run, begun, { at: now, record: { event: 'undone', isUndo: true, intent: null, answer } })
  }
  return now
}

const changeNow = async (within: Database, id: number): Promise<ChangeRow> => {
  const change = await findChange(within, id)
  if (change === undefined) throw new Error(`change ${id} was not saved`)
  return change
}

const finish = async ({ within, actor, change: { id } }: Run, at: number): Promise<void> =>
  endChange(within, { change: await changeNow(within, id), event: 'finish', at: new Date(at), actor })

/**
 * Writes one change of the past with the functions that store current ones: rows, steps, and the audit in its chain. Runs
 * in the transaction of `within`.
 */
export const writePastChange = async (within: Database, cloud: Cloud, past: PastChange): Promise<void> => {
  const { by, approval, plannedAt, startedAt, input, plan, doneAt, stopped } = past
  const planner = contextThen(within, { by, at: plannedAt, approvesChanges: approval !== null })
  const id = await saveChange(planner, within, { cloud, input, plan })
  const act = async (action: 'start' | 'stop' | 'roll-back', at: number): Promise<void> => {
    const { version } = await changeNow(within, id)
    await actOnChange(contextThen(within, { by, at }), { id, body: { action, version } })
  }
  if (approval !== null) {
    const { version } = await changeNow(within, id)
    await approveChange(contextThen(within, approval), { id, body: { version } })
  }
  await act('start', startedAt)
  const change = await changeNow(within, id)
  const run: Run = { within, change, actor: actorOf(change) }
  const done: ReadableStep[] = []
  const steps = (await listSteps(within, id)).filter(isReadable)
  for (const [index, at] of doneAt.entries()) {
    const step = steps[index]
    if (step !== undefined) done.push(await doStep(run, step, { from: doneAt[index - 1] ?? startedAt, at }))
  }
  if (stopped === null) return finish(run, (doneAt.at(-1) ?? startedAt) + 2000)
  const [waiting] = steps.slice(doneAt.length)
  const { because, wayOut, blockedAt, stoppedAt, backAt } = stopped
  const block: StepRecord = { event: 'block', isUndo: false, intent: null, note: because, wayOut }
  if (waiting !== undefined) await record(run, waiting, { at: blockedAt, record: block })
  await act('stop', stoppedAt)
  await act('roll-back', backAt)
  await finish(run, await takeBack(run, done, backAt))
}
