import * as z from 'zod/mini'

/** Changes that hold pGPUs: running ones, automatic or manual, and stopped ones. */
export const changeCountsSchema = z.object({ cloud: z.string(), running: z.int(), stopped: z.int() })
export type ChangeCounts = z.infer<typeof changeCountsSchema>
