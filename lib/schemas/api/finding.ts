import * as z from 'zod/mini'
import { FINDING_SOURCES, FINDING_STATES } from '../choices'
import { SEVERITIES } from '../severity'
import { pageShape } from './page'

export type FindingSource = (typeof FINDING_SOURCES)[number]

const evidenceSource = z.enum(FINDING_SOURCES)

/** What a finding is about, as lib/domain/findings/finding has it. */
export const findingSubjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cloud') }),
  z.object({ kind: z.literal('host'), host: z.string() }),
  z.object({ kind: z.literal('pgpu'), host: z.string(), address: z.string() }),
  z.object({ kind: z.literal('provider'), host: z.string(), name: z.string() }),
  z.object({ kind: z.literal('server'), uuid: z.string(), name: z.string(), host: z.nullable(z.string()) }),
  z.object({ kind: z.literal('flavor'), id: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('limit'),
    resourceName: z.string(),
    regionId: z.nullable(z.string()),
    projectId: z.nullable(z.string()),
  }),
  z.object({ kind: z.literal('trait'), name: z.string() }),
  z.object({ kind: z.literal('aggregate'), name: z.string() }),
])
export type FindingSubject = z.infer<typeof findingSubjectSchema>

/** The finding's own words. */
export const trackedWordsSchema = z.object({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  subject: findingSubjectSchema,
  sentence: z.string(),
  consequence: z.string(),
  nextStep: z.string(),
  command: z.nullable(z.string()),
  sourceToCorrect: z.nullable(evidenceSource),
})

const evidence = z.array(
  z.object({ source: evidenceSource, reported: z.string(), at: z.nullable(z.string()) }),
)

/** As they are stored, with the evidence of each source. */
export const findingWordsSchema = z.extend(trackedWordsSchema, { key: z.string(), evidence })

/** Who acknowledged a finding or muted its kind, when, why, and until when. */
const acknowledgementSchema = z.object({
  by: z.string(),
  at: z.string(),
  until: z.nullable(z.string()),
  note: z.string(),
})

/** A finding in lists; the detail has its evidence. */
export const trackedFindingSchema = z.extend(trackedWordsSchema, {
  id: z.int(),
  /** Names the problem; the same for all findings with the code. */
  title: z.string(),
  state: z.enum(FINDING_STATES),
  openedAt: z.string(),
  closedAt: z.nullable(z.string()),
  reopenedCount: z.int(),
  /** Why the last round could not tell whether it still holds; null: it could. */
  unverifiedReason: z.nullable(z.string()),
  acknowledgement: z.nullable(acknowledgementSchema),
  /** Of a muted finding. */
  mute: z.nullable(acknowledgementSchema),
})
export type TrackedFinding = z.infer<typeof trackedFindingSchema>

const facetSchema = z.array(z.object({ value: z.string(), label: z.string(), count: z.int() }))

export const findingListSchema = z.object({
  cloud: z.string(),
  /** Equal versions mean equal content. */
  version: z.string(),
  /** A reading round has ended; before that nothing was compared. */
  isRead: z.boolean(),
  findings: z.array(trackedFindingSchema),
  /** Closed findings beyond those listed. */
  moreClosed: z.int(),
  ...pageShape,
  /** Findings that match the filter, by kind: the most urgent kind and then the largest first. */
  kinds: z.array(
    z.object({ code: z.string(), title: z.string(), error: z.int(), warning: z.int(), info: z.int() }),
  ),
  /** How many findings each value of a filter would show. Of the first page with `sort=kind`, else null. */
  facets: z.nullable(
    z.object({
      state: facetSchema,
      severity: facetSchema,
      host: facetSchema,
      code: facetSchema,
      sourceToCorrect: facetSchema,
    }),
  ),
})
export type FindingList = z.infer<typeof findingListSchema>

export const findingDetailSchema = z.extend(trackedFindingSchema, {
  cloud: z.string(),
  key: z.string(),
  evidence,
  events: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      actor: z.string(),
      note: z.nullable(z.string()),
      /** Of a resolved one: the change that acted on the subject shortly before; null: none did. */
      changeId: z.nullable(z.int()),
    }),
  ),
})
export type FindingDetail = z.infer<typeof findingDetailSchema>
