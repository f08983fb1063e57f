import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { Button } from './button'
import { Input } from './input'

/** What narrows a list, above it; not on paper. `isTight`: with more in it than others. */
export const Toolbar = ({ isTight = false, children }: { isTight?: boolean; children: ReactNode }) => (
  <div
    className={classNames(
      'mb-2.5 flex flex-wrap items-center gap-2 print:hidden',
      isTight && 'lg:max-2xl:gap-1.5',
    )}
  >
    {children}
  </div>
)

type FilterInputProps = {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  /** Of the whole, from the first break point on; on narrower screens it takes a separate line. */
  className?: string
}

export const FilterInput = ({ label, placeholder = label, value, onChange, className }: FilterInputProps) => (
  <Input
    type="search"
    className={className}
    aria-label={label}
    placeholder={placeholder}
    value={value}
    maxLength={200}
    onChange={(event) => onChange(event.target.value)}
  />
)

/** A filter that is on or off, with the number of rows that it leaves, where that helps to choose. */
export const FilterChip = ({
  isOn,
  word,
  count,
  title,
  onToggle,
}: {
  isOn: boolean
  word: string
  count?: number
  title?: string
  onToggle: () => void
}) => (
  <Button variant={isOn ? 'chipOn' : 'chip'} aria-pressed={isOn} title={title} onClick={onToggle}>
    {count === undefined ? (
      word
    ) : (
      <>
        {word} <b className="font-semibold tabular-nums">{formatCount(count)}</b>
      </>
    )}
  </Button>
)
