import * as z from 'zod/mini'

/** Body of every error. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    /** The first invalid field. */
    field: z.optional(z.string()),
    /** All invalid fields of the input, each with its own sentence; `field` is empty for the input as a whole. */
    fields: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  }),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
