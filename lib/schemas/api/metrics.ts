import * as z from 'zod'

/** `?detail=type` leaves out the series of each pGPU and host, `pgpu` includes them for any size of the fleet. */
export const metricsQuerySchema = z.object({
  detail: z
    .enum(['type', 'pgpu'])
    .nullish()
    .transform((detail) => detail ?? null),
})
export type MetricsQuery = z.input<typeof metricsQuerySchema>
