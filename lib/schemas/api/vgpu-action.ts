import * as z from 'zod/mini'

const action = z.object({
  name: z.string(),
  title: z.string(),
  /** `limited`: it can fail on all known releases of Nova. */
  state: z.enum(['supported', 'fails', 'limited', 'unknown']),
  /** First release of Nova with support, as `Nova 25 (Yoga)`; null: none is known. */
  since: z.nullable(z.string()),
  sentence: z.string(),
  /** File in Nova's source, or name of the release note. */
  source: z.string(),
  link: z.string(),
  /** Hosts with mdevs below the minimum versions; `because` follows the name: `has libvirt 8.0.0, 8.6.0 is needed`. */
  hosts: z.array(z.object({ name: z.string(), because: z.string() })),
})
export type VgpuActionDto = z.infer<typeof action>

/** What works with vGPUs on the cloud's release of Nova. */
export const vgpuActionsSchema = z.object({
  cloud: z.string(),
  /** `Nova 29 or 30`, by nova-api; null: unknown. */
  release: z.nullable(z.string()),
  /** Highest compute API version, as `2.96`; null: unknown. */
  apiVersion: z.nullable(z.string()),
  actions: z.array(action),
})
export type VgpuActions = z.infer<typeof vgpuActionsSchema>
