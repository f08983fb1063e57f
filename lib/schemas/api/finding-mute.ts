import * as z from 'zod/mini'

/** Kinds of findings that are muted now. */
export const findingMuteListSchema = z.object({
  cloud: z.string(),
  mutes: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      by: z.string(),
      at: z.string(),
      until: z.string(),
      note: z.string(),
      /** Findings that would be open without the mute. */
      findings: z.int(),
    }),
  ),
})
export type FindingMuteList = z.infer<typeof findingMuteListSchema>
