import * as z from 'zod/mini'

const managedTraitSchema = z.object({
  host: z.string(),
  /** Of the pGPU. */
  address: z.string(),
  trait: z.string(),
  typeId: z.string(),
  typeName: z.string(),
  /** Devices of the pGPU whose providers are to carry it: itself, or its VFs. */
  deviceCount: z.int(),
  changeId: z.int(),
  addedBy: z.string(),
  addedAt: z.string(),
  /** How often the console put it back, over all devices. */
  putBackCount: z.int(),
  lastPutBackAt: z.nullable(z.string()),
  /** Why the last try failed. */
  problem: z.nullable(z.string()),
})
export type ManagedTraitDto = z.infer<typeof managedTraitSchema>

export const managedTraitListSchema = z.object({ cloud: z.string(), traits: z.array(managedTraitSchema) })
export type ManagedTraitList = z.infer<typeof managedTraitListSchema>
