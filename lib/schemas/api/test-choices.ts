import * as z from 'zod/mini'

const named = z.object({ id: z.string(), name: z.string() })

/** The available inputs of a test boot. */
export const testChoicesSchema = z.object({
  cloud: z.string(),
  /** Those that ask for a GPU. */
  flavors: z.array(named),
  /** Null: the query to Nova failed, `imagesError` has the reason. */
  images: z.nullable(z.array(named)),
  imagesError: z.nullable(z.string()),
})
export type TestChoices = z.infer<typeof testChoicesSchema>
