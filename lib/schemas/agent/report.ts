import * as z from 'zod/mini'
import { COMMAND_LIMITS, commandKeySchema, signedCommandSchema } from './command'
import { digestSchema, hostNameSchema, lineSchema } from './primitives'
import { contractRevisionSchema } from './revision'

/** Version of the agent contract. The console refuses an unknown version, and returns its own. */
export const CONTRACT_VERSION = 1

/** Limits of one report; the agent keeps to them, the console enforces them. */
export const REPORT_LIMITS = {
  compressedBytes: 1_048_576,
  uncompressedBytes: 8_388_608,
} as const

/** Content type of the differences that agents of the previous release send; the console requests the whole report. */
export const DIFFERENCE_TYPE = 'application/vnd.sliceboard.difference+json'

/** Paths of the agent's API, below the console's address. All are POST. */
export const AGENT_PATHS = {
  enroll: '/api/agent/v1/enroll',
  reports: '/api/agent/v1/reports',
  heartbeats: '/api/agent/v1/heartbeats',
  commandResults: '/api/agent/v1/command-results',
  samples: '/api/agent/v1/samples',
} as const

/**
 * Headers of a report. `sentAt`: the host's clock when it sends, ISO 8601 UTC; a report may have waited in the spool for
 * days, so only this shows whether the clock is right. `watched`: as `formatWatched` writes it, of the report's own scan.
 * Both may be absent.
 */
export const REPORT_HEADERS = { sentAt: 'x-sliceboard-sent-at', watched: 'x-sliceboard-watched' } as const

/**
 * Header of an enrollment: a random word that the agent keeps until it is enrolled. Where an admin has to approve the
 * enrollment, the approval is for the agent that sent this word. May be absent.
 */
export const ENROLLMENT_HEADERS = { requester: 'x-sliceboard-requester' } as const

/** Headers of a heartbeat, which has no body; the position as `formatPosition` writes it. `watched` may be absent. */
export const HEARTBEAT_HEADERS = {
  position: 'x-sliceboard-position',
  digest: 'x-sliceboard-digest',
  watched: 'x-sliceboard-watched',
} as const

/**
 * How long an agent has watched its host without a gap: `forMs` lie between the first scan and the last one, each within a few
 * intervals of the one before; the last had ended `agoMs` before this was sent. By a clock that is never set and that counts
 * while the host is suspended. Of a report its own scan is the last one, and `agoMs` is 0.
 */
export type Watched = { forMs: number; agoMs: number }

/**
 * Place of a report in the life of an agent. `boot` counts the agent's starts (kept on disk, raised before the first
 * report of a start), `sequence` counts reports and heartbeats within a start, from 1. Positions order reports; clocks do not.
 */
export const positionSchema = z.strictObject({
  boot: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  sequence: z.int().check(z.gte(1), z.lte(2_147_483_647)),
})

/** A report without its inventory, which comes last; `reportSchema` is the whole. */
export const reportHeadSchema = z.strictObject({
  contractVersion: z.literal(CONTRACT_VERSION),
  contractRevision: contractRevisionSchema,
  agentVersion: lineSchema(64).check(z.minLength(1)),
  position: positionSchema,
  /** The host's clock when the scan ended, ISO 8601 UTC. Shown, never used for order. */
  takenAt: z.iso.datetime(),
  digest: digestSchema,
  /**
   * Reports lost on the host since the agent's first start: dropped from a full spool, unreadable in it, or passed over
   * because the console failed on them.
   */
  droppedReports: z.int().check(z.gte(0), z.lte(2_147_483_647)),
})

/**
 * Answer to a report (200) and to a heartbeat (200). `isApplied` is false when the position was seen before or is older
 * than the newest applied; the agent treats both as delivered. `newest` lets an agent that lost its counter jump ahead.
 */
export const acknowledgementSchema = z.object({
  isApplied: z.boolean(),
  newest: positionSchema,
  /** Seconds until the next round. */
  intervalSeconds: z.number().check(z.gte(1), z.lte(3600)),
  /**
   * The interval of samples of utilization in the form of `samplesSchema`. An older console does not send it and accepts
   * none.
   */
  samplesEverySeconds: z.optional(z.number().check(z.gte(1), z.lte(3600))),
  /** Public key that signs commands, for agents that were enrolled without one. An older console does not say it. */
  commandKey: z.optional(commandKeySchema),
  /** Commands for this host, sent again until their results have arrived. */
  commands: z.optional(z.array(signedCommandSchema).check(z.maxLength(COMMAND_LIMITS.delivered))),
})

/** Body of `POST /api/agent/v1/enroll`; the join token is in `Authorization: Bearer`. */
export const enrollRequestSchema = z.strictObject({
  contractVersion: z.literal(CONTRACT_VERSION),
  contractRevision: contractRevisionSchema,
  hostName: hostNameSchema,
  agentVersion: lineSchema(64).check(z.minLength(1)),
})

/** Answer to an enrolment (201). The credential is shown once; the console keeps its hash. */
export const enrollResponseSchema = z.object({
  hostName: hostNameSchema,
  cloud: z.string(),
  /** `sbac_<id>_<secret>`, sent as `Authorization: Bearer` from then on. */
  credential: z.string(),
  intervalSeconds: z.number(),
  /** Public key that signs this cloud's commands; the agent keeps it and takes no other until it is enrolled again. */
  commandKey: z.optional(commandKeySchema),
})

export type Position = z.infer<typeof positionSchema>
export type Acknowledgement = z.infer<typeof acknowledgementSchema>
export type EnrollRequest = z.infer<typeof enrollRequestSchema>
export type EnrollResponse = z.infer<typeof enrollResponseSchema>

/** Negative when a comes before b, 0 when equal. */
export const comparePositions = (a: Position, b: Position): number =>
  a.boot === b.boot ? a.sequence - b.sequence : a.boot - b.boot

/** As one header value: `86400000+350`, or `86400000` when `agoMs` is 0. */
export const formatWatched = ({ forMs, agoMs }: Watched): string =>
  `${forMs}${agoMs === 0 ? '' : `+${agoMs}`}`

/** Reads what `formatWatched` writes; null for anything else. */
export const parseWatched = (text: string): Watched | null => {
  const match = /^([0-9]{1,12})(?:\+([0-9]{1,12}))?$/.exec(text)
  return match === null ? null : { forMs: Number(match[1]), agoMs: Number(match[2] ?? 0) }
}

/** A position as one header value, `<boot>.<sequence>`: `12.345`. */
export const formatPosition = (position: Position): string => `${position.boot}.${position.sequence}`

/** Reads what `formatPosition` writes; null for anything else. */
export const parsePosition = (text: string): Position | null => {
  const match = /^([1-9][0-9]{0,9})\.([1-9][0-9]{0,9})$/.exec(text)
  if (match === null) return null
  const parsed = positionSchema.safeParse({ boot: Number(match[1]), sequence: Number(match[2]) })
  return parsed.success ? parsed.data : null
}
