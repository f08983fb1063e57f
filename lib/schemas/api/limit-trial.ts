import * as z from 'zod/mini'

/** Nova's answer to a request for one server that it had to refuse. */
export const limitTrialSchema = z.object({
  /** The project of the sign-in. */
  project: z.string(),
  flavor: z.string(),
  /** `accepted`: Nova began to create it, so it does not enforce Keystone's limits; it was deleted immediately. */
  state: z.enum(['refused', 'accepted', 'failed']),
  /** Nova's own words; of `accepted` what became of the server. */
  message: z.string(),
  /** Whether these are the words that the dry check had foretold. */
  isForetold: z.boolean(),
})
export type LimitTrial = z.infer<typeof limitTrialSchema>
