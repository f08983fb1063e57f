import type { FieldErrors, FieldValues } from 'react-hook-form'

/** Connects an input with its `Field`, whose id is `{form}-{name}`, and sets whether its value is invalid. */
export const fieldProps = <Values extends FieldValues>(
  form: string,
  name: keyof Values & string,
  errors: FieldErrors<Values>,
) => ({
  id: `${form}-${name}`,
  'aria-describedby': `${form}-${name}-note`,
  ...(errors[name] === undefined ? {} : { 'aria-invalid': true }),
})
