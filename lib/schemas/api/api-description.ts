import * as z from '@/lib/schemas/mini'

const fieldSchema = z.object({
  name: z.string(),
  /** `path` or `query`. */
  place: z.enum(['path', 'query']),
  isRequired: z.boolean(),
})

/** The API for who reads about it: areas with their operations. */
export const apiDescriptionSchema = z.object({
  version: z.string(),
  areas: z.array(
    z.object({
      title: z.string(),
      about: z.string(),
      operations: z.array(
        z.object({
          method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
          path: z.string(),
          summary: z.string(),
          /** Who may ask, in words. */
          admission: z.string(),
          fields: z.array(fieldSchema),
          /** JSON Schema of the body, indented; null: it takes none. */
          body: z.nullable(z.string()),
          /** A line for the shell, with $SLICEBOARD for the address and $TOKEN for an API token. */
          example: z.string(),
        }),
      ),
    }),
  ),
})
export type ApiDescription = z.infer<typeof apiDescriptionSchema>
