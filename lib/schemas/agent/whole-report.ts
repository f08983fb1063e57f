import * as z from 'zod/mini'
import { inventorySchema } from './inventory'
import { reportHeadSchema } from './report'

/** Body of `POST /api/agent/v1/reports`, JSON, gzip allowed. Apart from its head, so that an agent need not hold it. */
export const reportSchema = z.extend(reportHeadSchema, { inventory: inventorySchema })
export type Report = z.infer<typeof reportSchema>
