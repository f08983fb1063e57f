import * as z from 'zod/mini'
import { SAVED_PARAMS } from '../choices'
import { rowIdSchema } from './agent-inputs'

const MAX_QUERY = 2000

const unknownParam = (query: string): string | undefined => {
  const known: readonly string[] = SAVED_PARAMS
  return [...new URLSearchParams(query).keys()].find((name) => !known.includes(name))
}

const querySchema = z.string().check(
  z.maxLength(MAX_QUERY, `must have at most ${MAX_QUERY.toLocaleString('en')} characters`),
  z.refine((query) => unknownParam(query) === undefined, {
    error: ({ input }) =>
      `must only have search parameters of the list of GPUs, and "${unknownParam(String(input))}" is none of them`,
  }),
)

const shape = {
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(40)),
  query: querySchema,
  /** Shown to all admins and readers of the cloud. */
  isShared: z.boolean(),
}

export const createSavedViewSchema = z.strictObject({
  cloud: z.nullable(z.string().check(z.maxLength(128))),
  ...shape,
})
export type CreateSavedView = z.infer<typeof createSavedViewSchema>

export const updateSavedViewSchema = z.strictObject(shape)
export type UpdateSavedView = z.infer<typeof updateSavedViewSchema>

export const savedViewParamsSchema = z.object({ id: rowIdSchema })

export const savedViewSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Search parameters of the list, without `?`. */
  query: z.string(),
  isShared: z.boolean(),
  /** Whether the caller saved it. */
  isOwn: z.boolean(),
  owner: z.string(),
  /** ISO 8601 UTC. */
  updatedAt: z.string(),
})
export type SavedView = z.infer<typeof savedViewSchema>

/** Views of the caller, and shared ones, by name. */
export const savedViewListSchema = z.object({ cloud: z.string(), views: z.array(savedViewSchema) })
export type SavedViewList = z.infer<typeof savedViewListSchema>
