import * as z from 'zod/mini'

/** The PCI aliases of Nova's API, and their source. */
export const apiAliasListSchema = z.object({
  cloud: z.string(),
  hosts: z.array(
    z.object({
      host: z.string(),
      /** True: an admin entered it; else an agent reported it. */
      isEntered: z.boolean(),
      seenAt: z.string(),
      aliases: z.array(z.object({ name: z.string(), means: z.string() })),
    }),
  ),
  /** Why the agents' reports are incomplete; null: they are complete, and the admin's entry is not used. */
  because: z.nullable(z.string()),
  /** The command to check it manually. */
  check: z.string(),
  entered: z.nullable(z.object({ text: z.string(), by: z.string(), at: z.string() })),
})
export type ApiAliasList = z.infer<typeof apiAliasListSchema>
