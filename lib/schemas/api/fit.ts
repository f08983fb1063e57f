import * as z from 'zod/mini'
import { FIT_GROUPS, FIT_REASONS } from '../choices'
import { SEVERITIES } from '../severity'
import { pageShape } from './page'

const known = z.object({ value: z.nullable(z.number()), reason: z.nullable(z.string()) })

/** A finding that is shown with its subject. */
export const findingLinkSchema = z.object({
  id: z.int(),
  severity: z.enum(SEVERITIES),
  sentence: z.string(),
})
export type FindingLink = z.infer<typeof findingLinkSchema>

export type FitReasonKind = (typeof FIT_REASONS)[number]

export type FitGroup = (typeof FIT_GROUPS)[number]

const reason = z.object({ kind: z.enum(FIT_REASONS), because: z.string() })

const pgpuFitSchema = z.object({
  address: z.string(),
  model: z.string(),
  /** Short name of the current type; null: none. */
  typeName: z.nullable(z.string()),
  /** Servers that it alone could take by hardware and Placement. */
  fits: known,
  reasons: z.array(reason),
  findings: z.array(findingLinkSchema),
})
export type PgpuFitDto = z.infer<typeof pgpuFitSchema>

const hostFitSchema = z.object({
  host: z.string(),
  /** False: Placement has GPUs there, and no agent reports from it. */
  hasAgent: z.boolean(),
  state: z.enum(['fits', 'blocked', 'unknown']),
  fits: known,
  byPlacement: known,
  atOnce: known,
  /** Where it is not known because of single cards: what the others surely take. */
  surely: z.object({ fits: z.int(), atOnce: z.int() }),
  /** Placement's answer has a candidate on it; null: it did not say. */
  isOffered: z.nullable(z.boolean()),
  /** Placement's answer compared with the hardware: it offers more than exists, or differs without an explanation. */
  discrepancy: z.nullable(z.enum(['over-promise', 'unexplained'])),
  /** What prevents it, the main reason first; empty if servers fit. */
  reasons: z.array(reason),
  /** Of the host as a whole. */
  findings: z.array(findingLinkSchema),
  pgpus: z.array(pgpuFitSchema),
})
export type HostFitDto = z.infer<typeof hostFitSchema>

/** How many more fit, and host by host what prevents them. */
export const fitReportSchema = z.object({
  /** The literal call that Placement was asked with; several on a line each, where a type has several resource classes. */
  query: z.string(),
  /** Extra specs that Nova drops. */
  ignored: z.array(z.object({ key: z.string(), value: z.string(), because: z.string() })),
  /** When Placement's providers were read last; null: never. */
  readAt: z.nullable(z.string()),
  /** Why the last reading is too old to count by; null: it is not. The numbers are then what they were. */
  gap: z.nullable(z.string()),
  placement: z.object({
    /** `refused`: Placement considers the query invalid. `away`: no answer. `not-asked`: no query was possible. */
    state: z.enum(['answered', 'refused', 'away', 'not-asked']),
    at: z.nullable(z.string()),
    because: z.nullable(z.string()),
    candidates: z.nullable(z.int()),
    /** The answer ended at the limit: other hosts may have candidates too. */
    isCut: z.boolean(),
  }),
  /** Of hosts that are not known the sums have what surely fits. */
  fits: z.int(),
  byPlacement: z.int(),
  atOnce: z.int(),
  fittingHosts: z.int(),
  unknownHosts: z.int(),
  /** False: its groups ask for unlike amounts, and the numbers are what surely fits. */
  isExact: z.boolean(),
  /** Of the requested `count`; null: none was requested. */
  answer: z.nullable(
    z.object({
      count: z.int(),
      answer: z.enum(['yes', 'one-by-one', 'no', 'cannot-tell']),
      because: z.string(),
    }),
  ),
  /** Hosts with GPUs, those that Placement offers, and those of which it offers more than the hardware has. */
  hostCount: z.int(),
  offeredHosts: z.int(),
  overPromisedHosts: z.int(),
  groups: z.array(z.object({ group: z.enum(FIT_GROUPS), count: z.int() })),
  /** One page of the hosts that match: those that fit first, then the nearest miss. */
  hosts: z.array(hostFitSchema),
  ...pageShape,
})
export type FitReportDto = z.infer<typeof fitReportSchema>
