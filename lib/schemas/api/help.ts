import * as z from 'zod/mini'

export const helpImageParamsSchema = z.object({ name: z.string().check(z.maxLength(100)) })
