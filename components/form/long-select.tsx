'use client'

import { useState } from 'react'
import { Field, Input, Select } from '@/components/ui/input'
import { formatCount } from '@/lib/util/format'

/** More options than this get a search field, which lists at most this many. */
const MAX_OPTIONS = 50

export type SelectItem = { value: string; label: string; group?: string }

const Options = ({ items }: { items: readonly SelectItem[] }) =>
  items.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

/** A select whose options can be searched where they are many. The chosen option is always listed. */
export const LongSelect = ({
  id,
  label,
  items,
  value,
  none,
  onChoose,
}: {
  id: string
  label: string
  items: readonly SelectItem[]
  value: string
  /** Text of the option without a value. */
  none: string
  onChoose: (value: string) => void
}) => {
  const [text, setText] = useState('')
  const isLong = items.length > MAX_OPTIONS
  const matching = isLong
    ? items.filter((item) => item.label.toLowerCase().includes(text.trim().toLowerCase()))
    : items
  const first = matching.slice(0, MAX_OPTIONS)
  const chosen = items.find((item) => item.value === value)
  const listed = chosen === undefined || first.includes(chosen) ? first : [chosen, ...first]
  const groups = [...new Set(listed.flatMap(({ group }) => group ?? []))]
  return (
    <Field
      id={id}
      label={label}
      help={
        matching.length > first.length
          ? `${formatCount(first.length)} of ${formatCount(matching.length)} options are listed: search for the others.`
          : undefined
      }
    >
      {isLong ? (
        <Input
          type="search"
          aria-label={`Search: ${label}`}
          placeholder="Search"
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <Select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{none}</option>
        <Options items={listed.filter(({ group }) => group === undefined)} />
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            <Options items={listed.filter((item) => item.group === group)} />
          </optgroup>
        ))}
      </Select>
    </Field>
  )
}
