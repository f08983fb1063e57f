import * as z from 'zod/mini'
import { scenarioStepsSchema } from './scenario-inputs'

const head = {
  id: z.int(),
  name: z.string(),
  /** Grows with each save. */
  version: z.int(),
  createdBy: z.string(),
  createdAt: z.string(),
  savedBy: z.string(),
  savedAt: z.string(),
}

export const scenarioListSchema = z.object({
  cloud: z.string(),
  /** By name. */
  scenarios: z.array(
    z.object({
      ...head,
      /** Null: a newer release of the console saved it. */
      stepCount: z.nullable(z.int()),
      /** Days of the first and the last step; null: without a day. */
      from: z.nullable(z.string()),
      until: z.nullable(z.string()),
    }),
  ),
})
export type ScenarioList = z.infer<typeof scenarioListSchema>
export type ScenarioSummary = ScenarioList['scenarios'][number]

export const scenarioSchema = z.object({
  ...head,
  cloud: z.string(),
  /** As `POST /api/v1/scenarios` takes them. */
  steps: scenarioStepsSchema,
})
export type ScenarioDto = z.infer<typeof scenarioSchema>
