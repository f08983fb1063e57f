import * as z from 'zod/mini'

/*
 * What a frozen review consists of. Stored text of version 1 is read by these schemas permanently. They never change, so they name
 * their values and not the current lists; a later version gets its own schema. All moments are ISO 8601 UTC, all numbers vGPUs
 * unless named otherwise.
 */

const known = z.nullable(z.number())

/** The values at one moment. `unseen`: the last known capacity of hosts without data then; not included in the others. */
const fleetFiguresSchema = z.object({
  capacity: z.int(),
  used: z.int(),
  spare: z.int(),
  orphan: z.int(),
  unseen: z.int(),
  /** Free vGPUs that no flavor can use; null: the cloud had not reported. */
  stranded: z.nullable(z.int()),
})

/** The reason why a value is unknown; unknown values are never zero. */
const unknownSchema = z.object({ isKnown: z.literal(false), because: z.string() })

/** Days as `2026-10-12`, by UTC. */
const fullSchema = z.discriminatedUnion('kind', [
  /** Used up at least once a week since then. */
  z.object({ kind: z.literal('full'), since: z.string() }),
  /** If the trend continues: at the earliest, most likely and at the latest; null: not within the forecast. */
  z.object({
    kind: z.literal('dated'),
    earliest: z.string(),
    likely: z.nullable(z.string()),
    latest: z.nullable(z.string()),
  }),
  /** Not before this day. */
  z.object({ kind: z.literal('after'), day: z.string() }),
  z.object({ kind: z.literal('not-growing') }),
  z.object({ kind: z.literal('unknown'), because: z.string() }),
])

const typeSchema = z.object({
  key: z.string(),
  label: z.string(),
  used: z.int(),
  capacity: z.int(),
  full: fullSchema,
})

const markSchema = z.object({ at: z.string(), label: z.string() })

export const reviewContentV1Schema = z.object({
  version: z.literal(1),
  cloud: z.string(),
  period: z.object({
    kind: z.enum(['month', 'quarter']),
    name: z.string(),
    timeZone: z.string(),
    from: z.string(),
    until: z.string(),
    /** What was until here is in the numbers; before `until` in a preview alone. */
    knownUntil: z.string(),
  }),
  filter: z.object({ by: z.enum(['all', 'type', 'model', 'aggregate']), key: z.string(), label: z.string() }),
  /** Hours of the period, and those with data for at least part of the group. */
  hours: z.object({ whole: z.int(), watched: z.int() }),
  /** At the begin and at the end; null: nothing was known then. */
  before: z.nullable(fleetFiguresSchema),
  end: z.nullable(fleetFiguresSchema),
  /** The most that were used at once, with the capacity of that hour; null: it was never known. */
  peak: z.nullable(z.object({ used: z.int(), capacity: z.int(), at: z.string() })),
  /** Weighted by time. */
  average: z.object({ used: known, capacity: known }),
  /** Of the whole cloud: servers with a GPU that came to no host. The most refused first. */
  refused: z.object({
    servers: z.int(),
    groups: z.array(
      z.object({
        /** Null: Nova had not reported it. */
        flavor: z.nullable(z.string()),
        reason: z.enum(['no-valid-host', 'over-limit', 'build-failed']),
        servers: z.int(),
      }),
    ),
    /** Servers of groups that are not listed. */
    others: z.int(),
  }),
  /** Of the whole cloud: the utilization of the vGPUs, in percent, of those with data. */
  utilisation: z.discriminatedUnion('isKnown', [
    z.object({ isKnown: z.literal(true), average: z.number(), peak: z.number(), at: z.nullable(z.string()) }),
    unknownSchema,
  ]),
  /** Of the whole cloud: vGPUs that were held and under `belowPercent` for `days` days at the end. */
  idle: z.discriminatedUnion('isKnown', [
    z.object({
      isKnown: z.literal(true),
      vgpus: z.int(),
      /** vGPUs in use that cannot be judged. */
      untold: z.int(),
      belowPercent: z.number(),
      days: z.int(),
      /** By project, the most first. */
      projects: z.array(z.object({ label: z.string(), vgpus: z.int() })),
      others: z.int(),
    }),
    unknownSchema,
  ]),
  /** By reason, the most first; `because` null: it was not kept. */
  stranded: z.array(z.object({ because: z.nullable(z.string()), vgpus: z.int(), hosts: z.int() })),
  chart: z.object({
    from: z.string(),
    stepSeconds: z.int(),
    /**
     * Of each step: the maximum use, and the averages of the capacity and of the last known capacity of hosts without
     * data; null: a gap without any data.
     */
    used: z.array(known),
    capacity: z.array(known),
    unseen: z.array(known),
    marks: z.array(markSchema),
  }),
  types: z.object({ rows: z.array(typeSchema), others: z.int() }),
  /** Of the whole cloud; the last seven days on average against the first seven. `rows` null: one of them is not known. */
  projects: z.object({
    rows: z.nullable(z.array(z.object({ label: z.string(), before: z.number(), after: z.number() }))),
    others: z.int(),
  }),
  done: z.object({
    /** Finished in the period and so at its end. `effect`: vGPUs of capacity more or fewer; null: it changes none. */
    changes: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        isUndone: z.boolean(),
        at: z.string(),
        effect: z.nullable(z.int()),
      }),
    ),
    others: z.int(),
    orphans: z.object({ mdevs: z.int(), hosts: z.int() }),
    /** Hosts without data for an hour or more, the longest first; `until` null: until the end of the period. */
    silent: z.array(z.object({ host: z.string(), from: z.string(), until: z.nullable(z.string()) })),
    otherSilent: z.int(),
  }),
  findings: z.object({
    opened: z.int(),
    closed: z.int(),
    /** Still there at the end. */
    open: z.object({ error: z.int(), warning: z.int(), info: z.int() }),
    /** The most urgent and oldest of them. */
    rows: z.array(
      z.object({ severity: z.enum(['error', 'warning', 'info']), sentence: z.string(), since: z.string() }),
    ),
  }),
  /** What follows from these numbers, the greatest effect first; empty: nothing does. */
  help: z.array(z.object({ sentence: z.string(), effect: z.nullable(z.string()) })),
})
export type ReviewContentV1 = z.infer<typeof reviewContentV1Schema>

/** Why it is unknown whether a vGPU in use is idle, and for how many, the most first. */
const unmeasuredVgpusSchema = z.array(
  z.object({ reason: z.enum(['not-measured', 'not-lately', 'gaps', 'too-short']), vgpus: z.int() }),
)

/**
 * Version 2 adds for how many pGPUs and vGPUs the utilization is unknown, and why; which vGPUs have been idle for
 * longest, over moves of their servers; and marks of silent hosts in the chart.
 */
export const reviewContentV2Schema = z.extend(reviewContentV1Schema, {
  version: z.literal(2),
  /** As in version 1. Of the others, how many are full or have a date; absent: frozen before these were counted. */
  types: z.object({
    /**
     * `peak`: the maximum use in the last seven days; null: unknown; absent: the review is from before this field, or of
     * an aggregate.
     */
    rows: z.array(z.extend(typeSchema, { peak: z.optional(z.nullable(z.int())) })),
    others: z.int(),
    othersFull: z.optional(z.int()),
    othersDated: z.optional(z.int()),
  }),
  /**
   * As in version 1. By the vGPU type that the flavor gives, the most first; absent: the review is from before this
   * field.
   */
  refused: z.extend(reviewContentV1Schema.shape.refused, {
    types: z.optional(
      z.object({
        /** Null: unknown, or the flavor gives several. */
        rows: z.array(z.object({ label: z.nullable(z.string()), servers: z.int() })),
        /** Servers of types that are not listed. */
        others: z.int(),
      }),
    ),
  }),
  /** As in version 1. `pgpus`: how many were measured in the period, and how many existed at its end and were not. */
  utilisation: z.discriminatedUnion('isKnown', [
    z.object({
      isKnown: z.literal(true),
      average: z.number(),
      peak: z.number(),
      at: z.nullable(z.string()),
      pgpus: z.object({ measured: z.int(), unmeasured: z.int() }),
    }),
    unknownSchema,
  ]),
  /** As in version 1. */
  idle: z.discriminatedUnion('isKnown', [
    z.object({
      isKnown: z.literal(true),
      vgpus: z.int(),
      /** How many servers held. */
      held: z.int(),
      untold: unmeasuredVgpusSchema,
      belowPercent: z.number(),
      days: z.int(),
      projects: z.array(z.object({ label: z.string(), vgpus: z.int() })),
      others: z.int(),
      /** Those that are idle longest. `hosts`: where since then, in order; the last one held it at the end. */
      longest: z.array(
        z.object({
          server: z.string(),
          project: z.string(),
          since: z.string(),
          hosts: z.array(z.string()),
        }),
      ),
    }),
    unknownSchema,
  ]),
})
export type ReviewContentV2 = z.infer<typeof reviewContentV2Schema>

/**
 * What a moment had, as the fleet totals count it. The last known numbers of hosts without data are in the totals, and `lastKnown`
 * counts them separately; null: all hosts had data. Passthrough GPUs are in no number of vGPUs.
 */
const totalsSchema = z.object({
  capacity: z.int(),
  used: z.int(),
  spare: z.int(),
  orphan: z.int(),
  /** Null: Nova and Placement had not reported it for any pGPU. */
  stranded: z.nullable(z.int()),
  passthrough: z.object({ capacity: z.int(), used: z.int() }),
  lastKnown: z.nullable(
    z.object({ hosts: z.int(), capacity: z.int(), used: z.int(), passthroughCapacity: z.int() }),
  ),
})

/** Version 3 has the fleet totals at the start and at the end; `types` includes the last known numbers, too. */
export const reviewContentV3Schema = z.extend(reviewContentV2Schema, {
  version: z.literal(3),
  before: z.nullable(totalsSchema),
  end: z.nullable(totalsSchema),
})
export type ReviewContentV3 = z.infer<typeof reviewContentV3Schema>

/** Version 4 has the fields of version 3. Its sentences, and the texts of its sheet and its CSV, are new. */
export const reviewContentV4Schema = z.extend(reviewContentV3Schema, { version: z.literal(4) })
export type ReviewContentV4 = z.infer<typeof reviewContentV4Schema>

/** Grows with each version. */
export const reviewContentSchema = z.discriminatedUnion('version', [
  reviewContentV1Schema,
  reviewContentV2Schema,
  reviewContentV3Schema,
  reviewContentV4Schema,
])
export type ReviewContent = z.infer<typeof reviewContentSchema>
