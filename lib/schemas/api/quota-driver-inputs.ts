import * as z from 'zod'
import { QUOTA_DRIVERS } from '../states'

export const enterDriverSchema = z.strictObject({
  driver: z.enum(QUOTA_DRIVERS, 'must be unified or legacy'),
})
export type EnterDriver = z.infer<typeof enterDriverSchema>
