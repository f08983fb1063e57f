import * as z from 'zod/mini'
import { deploymentConfigSchema } from './config-text'

/** What a change of limits means. */
export const limitChangeSchema = z.object({
  /** That Nova looks in. */
  region: z.nullable(z.string()),
  effects: z.array(
    z.object({
      resourceName: z.string(),
      /** Null: the registered default. */
      projectId: z.nullable(z.string()),
      projectName: z.nullable(z.string()),
      /** Null: there is none. */
      before: z.nullable(z.int()),
      after: z.nullable(z.int()),
      /** By Placement; null: a default, or not known. */
      used: z.nullable(z.number()),
    }),
  ),
  /** Limits of all projects against what there is; null: not known. */
  classes: z.array(
    z.object({
      resourceName: z.string(),
      capacity: z.nullable(z.number()),
      before: z.nullable(z.number()),
      after: z.nullable(z.number()),
    }),
  ),
  /** Projects that hold more than they may afterwards. */
  over: z.array(
    z.object({
      resourceName: z.string(),
      projectId: z.string(),
      projectName: z.string(),
      used: z.number(),
      limit: z.int(),
    }),
  ),
  /** Of the setup alone: names of projects whose result is unknown. */
  dayOne: z.optional(z.object({ unknown: z.array(z.string()) })),
  refusals: z.array(
    z.object({ resourceName: z.string(), projectName: z.nullable(z.string()), reason: z.string() }),
  ),
  unchanged: z.int(),
  grant: z.nullable(z.string()),
  /** Rows without a region that go; absent from plans of older consoles. */
  strays: z.optional(
    z.object({
      registered: z.array(z.object({ resourceName: z.string(), defaultLimit: z.int() })),
      limits: z.array(
        z.object({ resourceName: z.string(), projectName: z.string(), resourceLimit: z.int() }),
      ),
    }),
  ),
  /** Of the whole lists, where an answer has their first entries. */
  totals: z.optional(
    z.object({
      effects: z.int(),
      over: z.int(),
      overProjects: z.int(),
      unknown: z.int(),
      refusals: z.int(),
      strays: z.int(),
    }),
  ),
  notes: z.array(z.string()),
  /** Options of nova-api and nova-conductor, of the set-up alone. */
  configs: z.array(deploymentConfigSchema),
})
export type LimitChangePreview = z.infer<typeof limitChangeSchema>
