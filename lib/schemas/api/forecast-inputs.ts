import * as z from 'zod'
import { groupKeySchema } from './capacity-inputs'
import { FORECAST_BY } from './forecast'
import { cloudScopeSchema } from './scope'

/** `?by=`: absent, by vGPU type. `?key=`: one group alone, with its history and its forecast day by day. */
export const forecastScopeSchema = cloudScopeSchema.extend({
  by: z
    .enum(FORECAST_BY)
    .nullish()
    .transform((by) => by ?? 'type'),
  key: groupKeySchema,
})
export type ForecastScope = z.input<typeof forecastScopeSchema>
