import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '@/lib/api/client'

/** Shows a server error at the field that it names, or above the buttons if the form does not have that field. */
export const showServerError = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  fields: readonly Path<Values>[],
  err: Error,
): void => {
  const named = err instanceof ApiError ? err.field : null
  const field = fields.find((one) => one === named)
  if (field === undefined) form.setError('root', { message: err.message })
  else form.setError(field, { message: err.message }, { shouldFocus: true })
}
