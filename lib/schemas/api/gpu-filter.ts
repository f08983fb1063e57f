import * as z from 'zod'
import { HOLDINGS } from '../holdings'

const names = z.array(z.string().min(1).max(255)).max(50).default([])

/** What the list of GPUs is filtered by, under the names that its page has in its address. */
export const gpuFilterSchema = z.strictObject({
  /** Words of host, address, model, type or aggregate; or the name of a server. */
  q: z.string().max(200).default(''),
  model: names,
  /** Ids; `none`: without a type. */
  type: names,
  framework: names,
  /** Names; `none`: hosts in no aggregate. */
  aggregate: names,
  /** `any`: with a finding; else its code. */
  finding: z.string().min(1).max(128).nullable().default(null),
  holds: z.enum(HOLDINGS).nullable().default(null),
})
export type GpuFilterInput = z.input<typeof gpuFilterSchema>
