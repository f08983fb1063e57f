import type { z } from 'zod'
import { ApiError } from './api-error'

/** Takes a body by its schema, or refuses it with 400 and where it does not fit. */
export const parseBody = <Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  word: (problem: string) => string = (problem) => problem,
): z.infer<Schema> => {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? 'body' : issue.path.join('.')
  throw new ApiError(400, word(`Invalid input for field/attribute ${where}. ${issue?.message ?? ''}`))
}
