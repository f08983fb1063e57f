import * as z from 'zod'
import { findingSubjectSchema } from '@/lib/schemas/api/finding'
import { SEVERITIES } from '../severity'
import { WARNED_DIMENSIONS } from '../states'

const severity = z.enum(SEVERITIES)
const typeShape = z.object({ id: z.string(), name: z.string() })

const findingLine = z.object({
  change: z.enum(['opened', 'reopened', 'closed']),
  id: z.int(),
  code: z.string(),
  severity,
  subject: findingSubjectSchema,
  sentence: z.string(),
  consequence: z.string(),
  nextStep: z.string(),
})
export type FindingLine = z.infer<typeof findingLine>

const common = { at: z.iso.datetime(), cloud: z.string() }

const findingsChanged = z.object({
  event: z.literal('findings.changed'),
  ...common,
  counts: z.object({ opened: z.int(), reopened: z.int(), closed: z.int() }),
  findings: z.array(findingLine),
  /** Findings beyond those listed. */
  more: z.int(),
})

const exhaustionBegun = z.object({
  event: z.literal('exhaustion.begun'),
  ...common,
  type: typeShape,
  since: z.iso.datetime(),
  /** vGPUs that the cards of the type have places for, and that guests hold. */
  capacity: z.int(),
  used: z.int(),
})

const exhaustionEnded = z.object({
  event: z.literal('exhaustion.ended'),
  ...common,
  type: typeShape,
  since: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** `free`: one is free again; `gone`: no card has the type any more. */
  because: z.enum(['free', 'gone']),
})

const exhaustionExpected = z.object({
  event: z.literal('exhaustion.expected'),
  ...common,
  group: z.object({ by: z.enum(WARNED_DIMENSIONS), key: z.string(), label: z.string() }),
  /** The day in UTC on which it is likely to be full if the trend continues. */
  likely: z.iso.date(),
  /** vGPUs of the last whole day, and the most used at once in the last seven. */
  capacity: z.number(),
  used: z.number(),
})

const changeShape = z.object({
  id: z.int(),
  kind: z.string(),
  title: z.string(),
  state: z.string(),
  /** Who ran it last, as the audit names them. */
  by: z.string().nullable(),
  /** Why it stopped automatically; null: a person stopped it, or it did not stop. */
  reason: z.string().nullable(),
})
const changeFinished = z.object({ event: z.literal('change.finished'), ...common, change: changeShape })
const changeStopped = z.object({ event: z.literal('change.stopped'), ...common, change: changeShape })

const flavorFree = z.object({
  event: z.literal('flavor.free'),
  ...common,
  flavor: typeShape,
  availability: z.enum(['free', 'few']),
  /** Who waits for it. Null: Keystone did not report the project's name; the console did not store the person's. */
  project: z.object({ id: z.string(), name: z.nullable(z.string()) }),
  user: z.object({ id: z.string(), name: z.nullable(z.string()) }),
})

const test = z.object({ event: z.literal('test'), ...common, by: z.string() })

/** What happened, as the outbox keeps it: facts without addresses. */
export const webhookEventSchema = z.discriminatedUnion('event', [
  findingsChanged,
  exhaustionBegun,
  exhaustionEnded,
  exhaustionExpected,
  changeFinished,
  changeStopped,
  flavorFree,
  test,
])
export type WebhookEvent = z.infer<typeof webhookEventSchema>

/** Grows with every change of the body that a receiver of the version before could trip over; new fields are none. */
export const WEBHOOK_BODY_VERSION = 1

const url = z.url().nullable()
const envelope = {
  version: z.literal(WEBHOOK_BODY_VERSION),
  /** The same in every try. */
  id: z.uuid(),
  /** What happened in one line. */
  summary: z.string(),
  /** The console's page of it; null: the console does not know its own address (SLICEBOARD_URL). */
  url,
}

/** The body of form `json`. docs/webhooks.md describes it for receivers. */
export const webhookBodySchema = z.discriminatedUnion('event', [
  findingsChanged.extend({ ...envelope, findings: z.array(findingLine.extend({ url })) }),
  exhaustionBegun.extend(envelope),
  exhaustionEnded.extend(envelope),
  exhaustionExpected.extend(envelope),
  changeFinished.extend(envelope),
  changeStopped.extend(envelope),
  flavorFree.extend(envelope),
  test.extend(envelope),
])
export type WebhookBody = z.infer<typeof webhookBodySchema>
