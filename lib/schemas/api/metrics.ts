import * as z from 'zod'

/** `?detail=type` leaves the series of each pGPU and host out, `pgpu` gives them whatever the size of the fleet. */
export const metricsQuerySchema = z.object({
  detail: z
    .enum(['type', 'pgpu'])
    .nullish()
    .transform((detail) => detail ?? null),
})
export type MetricsQuery = z.input<typeof metricsQuerySchema>
