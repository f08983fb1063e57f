import * as z from 'zod'
import type { Step } from '../step'

/** One value that a step writes: what the plan found and what is wanted; null: not there. */
const valueChangeSchema = z.object({
  key: z.string(),
  seen: z.string().nullable(),
  wanted: z.string().nullable(),
})
export type ValueChange = z.infer<typeof valueChangeSchema>

const changes = z.array(valueChangeSchema).readonly()

/** What Nova takes when it creates a flavor; memory in MiB, disk in GiB. */
const newFlavorSchema = z.object({
  name: z.string(),
  description: z.string().nullable(),
  vcpus: z.number(),
  memoryMib: z.number(),
  diskGib: z.number(),
  isPublic: z.boolean(),
})
export type NewFlavorFacts = z.infer<typeof newFlavorSchema>

const existing = { flavorId: z.string(), flavorName: z.string(), changes }

/** Steps that create and change flavors, and the aggregates that they are tied to. */
export const flavorTaskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create-flavor'), flavorId: z.string(), flavor: newFlavorSchema }),
  z.object({ kind: z.literal('set-extra-specs'), ...existing }),
  z.object({ kind: z.literal('describe-flavor'), ...existing }),
  /** Keys are ids of projects; a value that is not null lets the project use the flavor. */
  z.object({
    kind: z.literal('set-flavor-access'),
    ...existing,
    projectNames: z.record(z.string(), z.string()).readonly(),
  }),
  z.object({ kind: z.literal('create-aggregate'), aggregate: z.string() }),
  /** Keys are names of nova-compute services. */
  z.object({ kind: z.literal('set-aggregate-hosts'), aggregate: z.string(), changes }),
  z.object({ kind: z.literal('set-aggregate-properties'), aggregate: z.string(), changes }),
])
export type FlavorTask = z.infer<typeof flavorTaskSchema>

/** In place of a value where only membership counts. */
export const MEMBER = 'yes'

export type FlavorStep = Step<FlavorTask>
