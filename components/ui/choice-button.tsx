import type { ComponentProps } from 'react'
import { Button } from './button'

export type Choice = {
  value: string
  label: string
  /** How many things it would show. */
  count?: number
  /** Why it can't be chosen now. */
  unavailable?: string
}

export type ChoiceProps = {
  /** What is chosen: "Model", "Group by". */
  label: string
  choices: readonly Choice[]
  chosen: readonly string[]
  /** More than one may be chosen; none narrows nothing. */
  isMultiple: boolean
  onChoose: (chosen: string[]) => void
  /** The chip shows only its label. */
  isPlain?: boolean
  /** The last entry of the menu; by default it chooses none. */
  reset?: { label: string; onReset: () => void }
}

/** Chosen values in a few words: "T4, A40" or "4 of 9". */
const chosenText = ({ choices, chosen }: Pick<ChoiceProps, 'choices' | 'chosen'>): string =>
  chosen.length > 3
    ? `${chosen.length} of ${choices.length}`
    : chosen.map((value) => choices.find((choice) => choice.value === value)?.label ?? value).join(', ')

type ChipProps = Pick<ChoiceProps, 'label' | 'choices' | 'chosen' | 'isMultiple' | 'isPlain'> &
  ComponentProps<'button'>

/** The button that shows what is chosen and opens the choices. */
export const ChipButton = ({ label, choices, chosen, isMultiple, isPlain = false, ...rest }: ChipProps) => (
  <Button
    variant={isMultiple && !isPlain && chosen.length > 0 ? 'chipOn' : 'chip'}
    aria-haspopup="menu"
    className="opens-below"
    {...rest}
  >
    {isPlain || chosen.length === 0 ? (
      label
    ) : (
      <span className="max-w-64 truncate">
        {label} <b className="font-semibold text-ink">{chosenText({ choices, chosen })}</b>
      </span>
    )}
  </Button>
)
