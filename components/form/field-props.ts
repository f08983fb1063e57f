import type { FieldErrors, FieldValues } from 'react-hook-form'

/** Ties an input to the `Field` around it, whose id is `{form}-{name}`, and says whether its value is refused. */
export const fieldProps = <Values extends FieldValues>(
  form: string,
  name: keyof Values & string,
  errors: FieldErrors<Values>,
) => ({
  id: `${form}-${name}`,
  'aria-describedby': `${form}-${name}-note`,
  ...(errors[name] === undefined ? {} : { 'aria-invalid': true }),
})
