import * as z from '@/lib/schemas/mini'

/** What Nova's API has for PCI aliases, and who says so. */
export const apiAliasListSchema = z.object({
  cloud: z.string(),
  hosts: z.array(
    z.object({
      host: z.string(),
      /** An admin told it; else an agent. */
      isTold: z.boolean(),
      seenAt: z.string(),
      aliases: z.array(z.object({ name: z.string(), means: z.string() })),
    }),
  ),
  /** Why agents alone don't tell; null: they do, and what was told is not used. */
  because: z.nullable(z.string()),
  /** How to look by hand. */
  check: z.string(),
  told: z.nullable(z.object({ text: z.string(), by: z.string(), at: z.string() })),
})
export type ApiAliasList = z.infer<typeof apiAliasListSchema>
