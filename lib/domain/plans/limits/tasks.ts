import * as z from 'zod'
import type { Step } from '../step'

/** Service and region of the rows that Nova finds: those of its endpoint. */
const limitScopeSchema = z.object({ serviceId: z.string(), regionId: z.string().nullable() })
export type LimitScope = z.infer<typeof limitScopeSchema>

const ofProject = { resourceName: z.string(), projectId: z.string(), projectName: z.string() }

/** A project's own limit: what the plan found and what is wanted; null: none, so that the default holds. */
const ownLimitChangeSchema = z.object({
  ...ofProject,
  seen: z.number().nullable(),
  wanted: z.number().nullable(),
})
export type OwnLimitChange = z.infer<typeof ownLimitChangeSchema>

const newDefaultSchema = z.object({ resourceName: z.string(), defaultLimit: z.number() })
export type NewDefault = z.infer<typeof newDefaultSchema>

/** A limit of a project in a row without a region, which Nova never reads. */
const strayLimitSchema = z.object({ ...ofProject, resourceLimit: z.number() })
export type StrayLimit = z.infer<typeof strayLimitSchema>

/** Steps that write unified limits into Keystone, and the role that lets Nova read them. */
export const limitTaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create-registered-limits'),
    limitScope: limitScopeSchema,
    limits: z.array(newDefaultSchema).readonly(),
  }),
  z.object({
    kind: z.literal('set-registered-limit'),
    stepId: z.string(),
    limitScope: limitScopeSchema,
    resourceName: z.string(),
    seen: z.number(),
    wanted: z.number(),
    /** The limits of single projects on it, which are removed during the change and created again as they are wanted. */
    overrides: z.array(ownLimitChangeSchema).readonly(),
  }),
  z.object({
    kind: z.literal('set-project-limits'),
    /** Of this step, whose record shows whether it has begun. */
    stepId: z.string(),
    limitScope: limitScopeSchema,
    limits: z.array(ownLimitChangeSchema).readonly(),
  }),
  /** Rows of Nova's service without a region; the limits of projects refer to the defaults. */
  z.object({
    kind: z.literal('remove-stray-limits'),
    serviceId: z.string(),
    registered: z.array(newDefaultSchema).readonly(),
    limits: z.array(strayLimitSchema).readonly(),
  }),
  z.object({
    kind: z.literal('grant-system-role'),
    userId: z.string(),
    userName: z.string(),
    role: z.string(),
  }),
])
export type LimitTask = z.infer<typeof limitTaskSchema>

export type LimitStep = Step<LimitTask>
