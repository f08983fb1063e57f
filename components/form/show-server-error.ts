import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError, invalidFields } from '@/lib/api/client'

/** Shows the errors of the server at the fields that they name, or above the buttons if the form has none of these. */
export const showServerError = <Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError'>,
  fields: readonly Path<Values>[],
  err: Error,
): void => {
  const invalid = (err instanceof ApiError ? invalidFields(err) : []).flatMap(({ field, message }) => {
    const path = fields.find((one) => one === field)
    return path === undefined ? [] : [{ path, message }]
  })
  if (invalid.length === 0) form.setError('root', { message: err.message })
  // The first one gets the focus last.
  for (const { path, message } of invalid.toReversed())
    form.setError(path, { message }, { shouldFocus: true })
}
