import * as z from 'zod/mini'

export const cloudListSchema = z.object({
  clouds: z.array(z.object({ name: z.string(), region: z.nullable(z.string()) })),
})
export type CloudList = z.infer<typeof cloudListSchema>
