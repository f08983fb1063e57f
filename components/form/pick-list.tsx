'use client'

import { useId, useState } from 'react'
import { Input } from '@/components/ui/input'

const MAX_SHOWN = 40
/** Fewer need no filter. */
const FEW = 8

type Item = { value: string; label: string; note?: string | undefined }

/** A multiple choice with checkboxes: selected items come first, a filter finds the others. */
export const PickList = ({
  legend,
  items,
  chosen,
  onChoose,
  empty,
}: {
  legend: string
  items: readonly Item[]
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
  /** When there is nothing to choose from. */
  empty: string
}) => {
  const id = useId()
  const [filter, setFilter] = useState('')
  const isChosen = ({ value }: Item) => chosen.includes(value)
  const found = items.filter(({ label }) => label.toLowerCase().includes(filter.trim().toLowerCase()))
  const shown = [...items.filter(isChosen), ...found.filter((item) => !isChosen(item)).slice(0, MAX_SHOWN)]
  const hidden = found.filter((item) => !isChosen(item)).length - MAX_SHOWN
  const toggle = (value: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 font-[550] text-small">
        {legend} <span className="font-normal text-ink3">{chosen.length} chosen</span>
      </legend>
      {items.length > FEW ? (
        <Input
          type="search"
          aria-label={`Filter: ${legend}`}
          placeholder="Filter"
          value={filter}
          maxLength={100}
          onChange={(event) => setFilter(event.target.value)}
        />
      ) : null}
      {items.length === 0 ? <p className="text-ink3">{empty}</p> : null}
      <ul className="mt-1 max-h-44 overflow-y-auto">
        {shown.map((item) => (
          <li key={item.value}>
            <label htmlFor={`${id} ${item.value}`} className="flex items-baseline gap-2 py-0.5">
              <input
                id={`${id} ${item.value}`}
                type="checkbox"
                checked={isChosen(item)}
                onChange={(event) => toggle(item.value, event.target.checked)}
              />
              <span className="min-w-0 wrap-anywhere">{item.label}</span>
              {item.note === undefined ? null : <span className="text-ink3 text-small">{item.note}</span>}
            </label>
          </li>
        ))}
      </ul>
      {hidden > 0 ? <p className="text-ink3 text-small">and {hidden} more: filter by name</p> : null}
    </fieldset>
  )
}
