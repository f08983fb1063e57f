import * as z from 'zod/mini'
import { deploymentConfigSchema } from './config-text'
import { headroomLineSchema, headroomStateSchema, plainAmountsSchema, plainNameSchema } from './gpu-headroom'

/** What a capacity reservation means, as lib/domain/plans/reservation/preview has it. */
export const reservationSchema = z.object({
  way: z.enum(['cpus', 'isolated', 'forbidden', 'second-service']),
  hosts: z.array(
    z.object({
      host: z.string(),
      stateBefore: headroomStateSchema,
      before: z.array(headroomLineSchema),
      after: z.array(headroomLineSchema),
      flavors: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          before: z.int(),
          after: z.int(),
          /** When ordinary servers take all that they can get. */
          worst: z.int(),
          short: z.array(plainNameSchema),
        }),
      ),
    }),
  ),
  costs: z.array(z.string()),
  checks: z.array(
    z.object({ text: z.string(), isMet: z.nullable(z.boolean()), wayOut: z.nullable(z.string()) }),
  ),
  flavors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      key: z.string(),
      value: z.string(),
      hostsBefore: z.int(),
      hostsAfter: z.int(),
    }),
  ),
  moves: z.array(
    z.object({
      serverUuid: z.string(),
      name: z.string(),
      projectName: z.string(),
      flavorName: z.nullable(z.string()),
      needs: plainAmountsSchema,
    }),
  ),
  aggregate: z.nullable(z.string()),
  configs: z.array(deploymentConfigSchema),
  /** Why nothing is planned; null: it is. */
  refusal: z.nullable(z.string()),
})
export type ReservationPreviewDto = z.infer<typeof reservationSchema>
