import * as z from 'zod/mini'
import { pageShape } from './page'
import { quotaLimitSchema } from './quota'
import { quotaDriverSchema } from './quota-driver'

const factSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** `open`: something is to be done. */
  state: z.enum(['good', 'open', 'unknown']),
  reported: z.string(),
  /** The command to check it manually; null: the console has checked it. */
  check: z.nullable(z.string()),
})
export type SetUpFact = z.infer<typeof factSchema>

const requestedLimitSchema = z.object({
  resourceName: z.string(),
  projectId: z.nullable(z.string()),
  value: z.nullable(z.int()),
})

export const limitSetUpSchema = z.object({
  cloud: z.string(),
  isRead: z.boolean(),
  /** Why there is nothing to tell; null: there is. */
  because: z.nullable(z.string()),
  region: z.nullable(z.string()),
  /** Where the cloud is. */
  facts: z.array(factSchema),
  /** Names that Nova checks. */
  needed: z.array(
    z.object({
      resourceName: z.string(),
      flavor: z.nullable(z.string()),
      registered: z.nullable(z.int()),
      withoutRegion: z.nullable(z.int()),
      means: quotaLimitSchema,
      proposed: z.nullable(z.int()),
      because: z.string(),
    }),
  ),
  /**
   * A page of the projects, those with servers on GPU hosts and with own limits first. Quotas that Nova answers; memory in MiB.
   * Null: they were not read. `isReading`: its quotas or use are still being read.
   */
  projects: z.array(
    z.object({
      projectId: z.string(),
      projectName: z.string(),
      quotas: z.nullable(z.object({ instances: z.int(), cores: z.int(), memoryMib: z.int() })),
      isReading: z.boolean(),
    }),
  ),
  ...pageShape,
  /** Of all projects. `limits`: the project limits that are proposed so far. */
  counts: z.object({ projects: z.int(), reading: z.int(), limits: z.int() }),
  /** Defaults, and limits of the listed projects. */
  proposals: z.array(requestedLimitSchema),
  /** Rows of Nova's service without a region, where Nova never looks, that can be deleted. */
  strayCount: z.int(),
  /** Nova's own tool. */
  command: z.string(),
  /** Nova's user in Keystone, and the id of its domain; null: any domain that has a user of that name. */
  user: z.string(),
  domainId: z.nullable(z.string()),
  /** The driver that Nova uses now; null: unknown. */
  driver: z.nullable(quotaDriverSchema),
  /**
   * Of one flavor, project by project, with the limits as they are: at most 100, those that are refused or unknown first. Null: no
   * flavor was named.
   */
  dryRun: z.nullable(
    z.object({
      flavorId: z.string(),
      projects: z.array(
        z.object({
          projectId: z.string(),
          projectName: z.string(),
          state: z.enum(['fits', 'refused', 'unknown']),
          /** Nova's own message, the reason why it is unknown, or what could not be checked; null: it fits. */
          message: z.nullable(z.string()),
        }),
      ),
      /** Of all projects that may use the flavor. */
      counts: z.object({ refused: z.int(), unknown: z.int(), fits: z.int() }),
    }),
  ),
  /** Flavors that ask for a GPU. */
  flavors: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type LimitSetUp = z.infer<typeof limitSetUpSchema>
