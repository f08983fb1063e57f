import * as z from '@/lib/schemas/mini'

/** Changes that hold pGPUs: those that go on by themselves or by hand, and those that stand. */
export const changeCountsSchema = z.object({ cloud: z.string(), running: z.int(), stopped: z.int() })
export type ChangeCounts = z.infer<typeof changeCountsSchema>
