import * as z from 'zod'

export const tellDriverSchema = z.strictObject({
  driver: z.enum(['unified', 'legacy'], 'must be unified or legacy'),
})
export type TellDriver = z.infer<typeof tellDriverSchema>
