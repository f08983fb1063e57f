import * as z from 'zod'
import { groupKeySchema, rangeScopeSchema } from './capacity-inputs'
import { FORECAST_BY } from './forecast'

/**
 * `?by=`: absent, by vGPU type. `?key=`: one group alone, with its history and its forecast day by day. `?until=`: as one could
 * make it then, of the days before; absent, now.
 */
export const forecastScopeSchema = rangeScopeSchema.omit({ from: true }).extend({
  by: z
    .enum(FORECAST_BY)
    .nullish()
    .transform((by) => by ?? 'type'),
  key: groupKeySchema,
})
export type ForecastScope = z.input<typeof forecastScopeSchema>
