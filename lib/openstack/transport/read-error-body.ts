import * as z from 'zod'

export type ErrorBody = { detail: string | null; code: string | null; requestId: string | null }

export const placementSchema = z.object({
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
export const wrappedSchema = z.object({
  message: z.string(),
  code: z.union([z.number(), z.string()]).optional(),
})

/**
 * Keystone's receipt: what came was right, and a rule of the user wants more (keystone/api/auth.py, `multi_factor_auth_rules`).
 * Each rule is a list of methods that together are enough.
 */
export const receiptSchema = z.object({
  receipt: z.object({ methods: z.array(z.string()) }),
  required_auth_methods: z.array(z.array(z.string())).min(1),
})

/** `code` of a refusal that requires another factor; its `detail` lists the missing methods. */
export const MORE_FACTORS = 'keystone.receipt'

const readReceipt = (json: unknown): ErrorBody | null => {
  const parsed = receiptSchema.safeParse(json)
  if (!parsed.success) return null
  const { receipt, required_auth_methods: rules } = parsed.data
  const rests = rules.map((rule) => rule.filter((method) => !receipt.methods.includes(method)))
  const [shortest] = rests.toSorted((a, b) => a.length - b.length)
  return { detail: (shortest ?? []).join(', '), code: MORE_FACTORS, requestId: null }
}

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
  const receipt = readReceipt(json)
  if (receipt !== null) return receipt
  if (typeof json !== 'object' || json === null) return NOTHING
  for (const value of Object.values(json)) {
    const wrapped = wrappedSchema.safeParse(value)
    if (wrapped.success) return { ...NOTHING, detail: wrapped.data.message }
  }
  return NOTHING
}
