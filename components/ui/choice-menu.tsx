'use client'

import { useState } from 'react'
import { formatCount, formatNoun } from '@/lib/util/format'
import { ChipButton, type Choice, type ChoiceProps } from './choice-button'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './dropdown-menu'
import { Input } from './input'

/** More choices than this get a search field, which lists at most this many. */
const MAX_LISTED = 50

const ChoiceText = ({ label, count, unavailable }: Choice) => (
  <>
    <span className="min-w-0 flex-1">
      {label}
      {unavailable === undefined ? null : <span className="block text-small">{unavailable}</span>}
    </span>
    {count === undefined ? null : <span className="text-ink3 tabular-nums">{formatCount(count)}</span>}
  </>
)

/** The opened chip: it is drawn after the first press, so it starts open. */
export const ChoiceMenu = ({
  label,
  choices,
  chosen,
  isMultiple,
  onChoose,
  isPlain = false,
  reset = { label: 'Show all', onReset: () => onChoose([]) },
}: ChoiceProps) => {
  const [isOpen, setIsOpen] = useState(true)
  const [text, setText] = useState('')
  const isLong = choices.length > MAX_LISTED
  const matching = isLong
    ? choices.filter((choice) => choice.label.toLowerCase().includes(text.trim().toLowerCase()))
    : choices
  const listed = matching.slice(0, MAX_LISTED)
  const toggle = (value: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))
  return (
    <DropdownMenu open={isOpen} onOpenChange={setIsOpen} modal={false}>
      <DropdownMenuTrigger asChild>
        <ChipButton
          label={label}
          choices={choices}
          chosen={chosen}
          isMultiple={isMultiple}
          isPlain={isPlain}
        />
      </DropdownMenuTrigger>
      <DropdownMenuContent aria-label={label}>
        {isLong ? (
          <Input
            type="search"
            className="mb-1 w-full"
            aria-label={`Search ${label}`}
            placeholder="Search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            // The menu moves the focus to the item that begins with a typed letter.
            onKeyDown={(event) => {
              if (event.key !== 'Escape' && event.key !== 'ArrowDown' && event.key !== 'Tab')
                event.stopPropagation()
            }}
          />
        ) : null}
        {isMultiple ? (
          listed.map((choice) => (
            <DropdownMenuCheckboxItem
              key={choice.value}
              checked={chosen.includes(choice.value)}
              disabled={choice.unavailable !== undefined}
              onCheckedChange={(isOn) => toggle(choice.value, isOn)}
            >
              <ChoiceText {...choice} />
            </DropdownMenuCheckboxItem>
          ))
        ) : (
          <DropdownMenuRadioGroup value={chosen[0] ?? ''} onValueChange={(value) => onChoose([value])}>
            {listed.map((choice) => (
              <DropdownMenuRadioItem
                key={choice.value}
                value={choice.value}
                disabled={choice.unavailable !== undefined}
              >
                <ChoiceText {...choice} />
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        )}
        {choices.length === 0 ? <p className="px-2 py-1 text-ink3">Nothing to choose</p> : null}
        {choices.length > 0 && listed.length === 0 ? <p className="px-2 py-1 text-ink3">No match</p> : null}
        {matching.length > listed.length ? (
          <p className="px-2 py-1 text-ink3 text-small">
            {formatNoun(matching.length - listed.length, 'more choice')}: search to find them
          </p>
        ) : null}
        {isMultiple && chosen.length > 0 ? (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={reset.onReset}>{reset.label}</DropdownMenuItem>
          </>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
