import * as z from 'zod'
import { capacityMarksScopeSchema, capacityScopeSchema } from './capacity-inputs'
import { UTILIZATION_BY } from './utilization'

/** As of the capacity; `?by=vgpu` takes `?host=`, and `?address=` those of one pGPU alone. */
export const utilizationScopeSchema = capacityScopeSchema.extend({
  by: z
    .enum(UTILIZATION_BY)
    .nullish()
    .transform((by) => by ?? 'all'),
})
export type UtilizationScope = z.input<typeof utilizationScopeSchema>

const wholeNumber = ({ min, max, fallback }: { min: number; max: number; fallback: number }) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce
    .number(rule)
    .int(rule)
    .min(min, rule)
    .max(max, rule)
    .nullish()
    .transform((value) => value ?? fallback)
}

/**
 * `?days=` without work, 14 when absent, and `?threshold=` percent that no sample is above, 1 when absent. `?by=` and `?key=` take
 * those of one group, `?host=` those on one host and `?address=` on one pGPU of it; `?until=`: as of then, absent now.
 */
export const idleVgpusScopeSchema = capacityMarksScopeSchema.omit({ from: true }).extend({
  days: wholeNumber({ min: 1, max: 365, fallback: 14 }),
  threshold: wholeNumber({ min: 0, max: 100, fallback: 1 }),
})
export type IdleVgpusScope = z.input<typeof idleVgpusScopeSchema>
