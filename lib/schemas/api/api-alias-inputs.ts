import * as z from 'zod'

/** The lines of `[pci]` of nova.conf of Nova's API; their form is checked by Nova's rules. */
export const enterAliasesSchema = z.strictObject({
  text: z.string().min(1, 'must not be empty').max(65_536, 'must have at most 65536 characters'),
})
export type EnterAliases = z.infer<typeof enterAliasesSchema>
