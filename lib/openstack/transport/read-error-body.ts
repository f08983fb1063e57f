import * as z from 'zod'

export type ErrorBody = { detail: string | null; code: string | null; requestId: string | null }

const placementSchema = z.object({
  errors: z
    .array(
      z.object({
        detail: z.string().optional(),
        title: z.string().optional(),
        code: z.string().optional(),
        request_id: z.string().optional(),
      }),
    )
    .min(1),
})

/** Keystone's `{"error": {…}}` and Nova's `{"badRequest": {…}}`. */
const wrappedSchema = z.object({ message: z.string(), code: z.union([z.number(), z.string()]).optional() })

const NOTHING: ErrorBody = { detail: null, code: null, requestId: null }

/** OpenStack's own words in an error answer; each service has its own form. Nulls for anything else (a proxy's HTML). */
export const readErrorBody = (json: unknown): ErrorBody => {
  const placement = placementSchema.safeParse(json)
  if (placement.success) {
    const [error] = placement.data.errors
    return {
      detail: error?.detail ?? error?.title ?? null,
      code: error?.code ?? null,
      requestId: error?.request_id ?? null,
    }
  }
  if (typeof json !== 'object' || json === null) return NOTHING
  for (const value of Object.values(json)) {
    const wrapped = wrappedSchema.safeParse(value)
    if (wrapped.success) return { ...NOTHING, detail: wrapped.data.message }
  }
  return NOTHING
}
