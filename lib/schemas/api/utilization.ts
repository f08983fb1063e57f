import * as z from 'zod/mini'

/** How series are split; `host`, `pgpu` and `vgpu` of one host, which is named. */
export const UTILIZATION_BY = [
  'all',
  'type',
  'model',
  'aggregate',
  'flavor',
  'project',
  'host',
  'pgpu',
  'vgpu',
] as const
export type UtilizationBy = (typeof UTILIZATION_BY)[number]

/** Of the points in order; null: a gap without data. */
const column = z.array(z.nullable(z.number()))

const seriesSchema = z.object({
  /** Empty: the whole fleet, or what is unknown. Of a vGPU its pGPU, its own id and its guest, with spaces between. */
  key: z.string(),
  label: z.string(),
  /** The server that held a vGPU; null: unknown, or of another series. */
  guest: z.nullable(z.string()),
  /**
   * Percent; of a vGPU of the whole card. Averages by samples and the extremes of each point: of one card or vGPU those of its
   * samples, of several those of their hourly average.
   */
  utilization: column,
  utilizationMin: column,
  utilizationMax: column,
  /** MiB, of several cards together. */
  usedMib: column,
  usedMibMax: column,
  totalMib: column,
})
export type UtilizationSeries = z.infer<typeof seriesSchema>

export const utilizationSchema = z.object({
  cloud: z.string(),
  by: z.enum(UTILIZATION_BY),
  /** ISO 8601 UTC. Begin of the first point; each lasts `stepSeconds`, and the last one may still be running. */
  from: z.string(),
  until: z.string(),
  stepSeconds: z.int(),
  timeZone: z.literal('UTC'),
  /** The first moment of which anything is known; null: nothing was measured yet. */
  firstKnownAt: z.nullable(z.string()),
  series: z.array(seriesSchema),
  /** Groups without a series, because there are too many. */
  leftOut: z.int(),
})
export type Utilization = z.infer<typeof utilizationSchema>

/** Why it is unknown whether a vGPU is idle. */
const UNMEASURED_REASONS = ['not-measured', 'not-lately', 'gaps', 'too-short'] as const
export type UnmeasuredReason = (typeof UNMEASURED_REASONS)[number]

const heldShape = {
  host: z.string(),
  address: z.string(),
  /** The mdev's uuid, else the driver's number; null: it was never measured. */
  vgpu: z.nullable(z.string()),
  /** uuid of the server. */
  guest: z.string(),
  server: z.string(),
  flavor: z.nullable(z.string()),
  projectId: z.nullable(z.string()),
  project: z.nullable(z.string()),
  user: z.nullable(z.string()),
  typeId: z.string(),
  type: z.string(),
}

const idleVgpuSchema = z.object({
  ...heldShape,
  /** No sample above the threshold from here on, wherever its server was. ISO 8601 UTC. */
  since: z.string(),
  /** The hosts on which it was seen since then, in order; the last one is `host`. */
  hosts: z.array(z.string()),
  /** Part of the time since then that was seen, 0 to 1. */
  seenShare: z.number(),
  highestPercent: z.number(),
  usedMib: z.nullable(z.number()),
})
export type IdleVgpu = z.infer<typeof idleVgpuSchema>

export const idleVgpusSchema = z.object({
  cloud: z.string(),
  asOf: z.string(),
  days: z.int(),
  thresholdPercent: z.int(),
  /** How many vGPUs servers hold; of the others of them it is known that they were in use, or that they are newer. */
  held: z.int(),
  /** Those that are idle longest first. */
  idle: z.array(idleVgpuSchema),
  idleCount: z.int(),
  /** Those that cannot be judged. */
  unmeasured: z.array(z.object({ ...heldShape, reason: z.enum(UNMEASURED_REASONS) })),
  unmeasuredCount: z.int(),
})
export type IdleVgpus = z.infer<typeof idleVgpusSchema>
