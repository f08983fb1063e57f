import * as z from 'zod'
import { cardTaskSchema, type HostTask } from '../host-steps/tasks'
import type { Step } from '../step'

/** Tasks of a change of a card between vGPUs and passthrough. */
export const passthroughTaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('bind-driver'),
    host: z.string(),
    pgpuAddress: z.string(),
    /** Of the card, or of another function of it in the same IOMMU group. */
    address: z.string(),
    /** Null: none is bound. */
    from: z.string().nullable(),
    to: z.string(),
  }),
  z.object({
    kind: z.literal('switch-vfs'),
    host: z.string(),
    address: z.string(),
    /** The VFs are on once the step is done; else off. */
    isOn: z.boolean(),
  }),
  z.object({
    kind: z.literal('await-alias'),
    /** Of Nova's API. */
    host: z.string(),
    alias: z.string(),
    /** The line that belongs there. */
    line: z.string(),
  }),
  cardTaskSchema,
])
type PassthroughTask = z.infer<typeof passthroughTaskSchema>

export type PassthroughStep = Step<PassthroughTask | HostTask>
