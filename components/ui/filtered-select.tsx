import { useState } from 'react'
import { formatCount } from '@/lib/util/format'
import { Input, Select } from './input'

/** Maximum number of choices drawn at once. */
const MAX_SHOWN = 60

/** `isDisabled`: shown, but it cannot be chosen; the label has the reason. */
type Choice = { value: string; label: string; isDisabled?: boolean }

/** The chosen one and the first that contain the text; `more`: how many are not drawn. */
export const drawnChoices = (
  choices: readonly Choice[],
  { text, value }: { text: string; value: string },
) => {
  const wanted = text.trim().toLowerCase()
  const found = choices.filter(
    (choice) => choice.value === value || choice.label.toLowerCase().includes(wanted),
  )
  const first = found.slice(0, MAX_SHOWN)
  const chosen = found.find((choice) => choice.value === value)
  const isDrawn = chosen === undefined || first.includes(chosen)
  return { shown: isDrawn ? first : [chosen, ...first.slice(1)], more: found.length - first.length }
}

/** A select whose choices are filtered by text where they are many. `label` names the select, `empty` is the choice of none. */
export const FilteredSelect = ({
  id,
  label,
  empty,
  value,
  choices,
  onChoose,
}: {
  id?: string
  label: string
  empty: string
  value: string
  choices: readonly Choice[]
  onChoose: (value: string) => void
}) => {
  const [text, setText] = useState('')
  const isLong = choices.length > MAX_SHOWN
  const { shown, more } = drawnChoices(choices, { text, value })
  return (
    <>
      {isLong ? (
        <Input
          aria-label={`${label}: filter`}
          placeholder={`Filter ${formatCount(choices.length)}`}
          className="mb-1.5"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <Select id={id} aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{empty}</option>
        {shown.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
            {choice.label}
          </option>
        ))}
        {more === 0 ? null : <option disabled>{formatCount(more)} more: filter them</option>}
      </Select>
    </>
  )
}
