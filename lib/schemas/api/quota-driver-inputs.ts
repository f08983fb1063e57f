import * as z from 'zod'
import { QUOTA_DRIVERS } from '../states'

export const tellDriverSchema = z.strictObject({
  driver: z.enum(QUOTA_DRIVERS, 'must be unified or legacy'),
})
export type TellDriver = z.infer<typeof tellDriverSchema>
