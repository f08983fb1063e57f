'use client'

import { FilteredSelect } from '@/components/ui/filtered-select'
import { described, Field, Input, Select } from '@/components/ui/input'
import { typedNote } from './create-server-text'

type Choice = { value: string; label: string; isDisabled?: boolean }

/** A choice from a list of OpenStack; where the list could not be read, its name is entered. */
export const ChoiceField = ({
  id,
  label,
  what,
  empty,
  part,
  value,
  help,
  onChange,
}: {
  id: string
  label: string
  /** The thing in a sentence: `image`. */
  what: string
  /** The text for no choice. */
  empty: string
  /** Undefined: still being read. */
  part: { choices: Choice[] | null; problem: string | null } | undefined
  value: string
  help?: string
  onChange: (value: string) => void
}) => {
  if (part === undefined)
    return (
      <Field id={id} label={label}>
        <Select id={id} disabled>
          <option>Loading</option>
        </Select>
      </Field>
    )
  const { choices, problem } = part
  if (choices === null)
    return (
      <Field id={id} label={label} help={typedNote(problem, what)}>
        <Input {...described(id)} value={value} onChange={(event) => onChange(event.target.value)} />
      </Field>
    )
  const note = [problem, help].filter((text) => text !== null && text !== undefined).join(' ')
  return (
    <Field id={id} label={label} {...(note === '' ? {} : { help: note })}>
      <FilteredSelect
        id={id}
        label={label}
        empty={empty}
        value={value}
        choices={choices}
        onChoose={onChange}
      />
    </Field>
  )
}
