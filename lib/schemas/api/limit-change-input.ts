import * as z from 'zod'
import { GRAMMARS } from '../agent/grammar'
import { MAX_CHANGE_LIMITS, MAX_LIMIT, MAX_NAMED_PROJECTS } from './change-limits'

/** Nova's names: what it counts itself, and each resource class (nova/limit/placement.py). */
const resourceName = z.string().regex(GRAMMARS.limitName.pattern, GRAMMARS.limitName.rule)

const value = z.int().min(-1).max(MAX_LIMIT)

const projectId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the id of a project')
const projectIds = z.array(projectId).max(MAX_NAMED_PROJECTS)

const limitSchema = z.strictObject({
  resourceName,
  /** Null: the registered default, which applies to every project without a project limit. */
  projectId: projectId.nullable(),
  /** Null: the project's own limit goes. */
  value: value.nullable(),
})

const keyOf = ({ resourceName: name, projectId }: z.output<typeof limitSchema>): string =>
  `${name} ${projectId}`

export const planLimitsSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('limits'),
  limits: z
    .array(limitSchema)
    .max(MAX_CHANGE_LIMITS)
    .refine((limits) => new Set(limits.map(keyOf)).size === limits.length, {
      error: 'must name each limit once',
    }),
  /**
   * The setup of unified limits: Nova's user gets the role reader on the system, and the plan contains the nova.conf
   * settings.
   */
  setUp: z
    .strictObject({
      /** Name of Nova's user in Keystone. */
      user: z.string().trim().min(1).max(255),
      /** Its domain, by id; null: the one that has a user of that name. */
      domainId: z.string().min(1).max(64).nullable(),
      /** Rows of Nova's service without a region, where Nova never looks, are deleted. */
      removesStrays: z.boolean().default(false),
      /**
       * Projects whose quotas in Nova and use of GPUs become project limits where the default differs: those of `only`, or all but
       * those of `except`. Null: `limits` names all.
       */
      projects: z
        .union([z.strictObject({ only: projectIds }), z.strictObject({ except: projectIds })])
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
})
export type PlanLimits = z.input<typeof planLimitsSchema>
