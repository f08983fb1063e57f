import { useId } from 'react'
import { Input } from '@/components/ui/input'
import { dayOf, lastDayOf } from './capacity-words'

const DAY_MS = 24 * 3_600_000

/** A day in UTC; one that is not whole yet changes nothing. `isEnd`: the moment is the end of its day, that is the begin of the next. */
export const DayInput = ({
  label,
  at,
  isEnd = false,
  onChange,
}: {
  label: string
  /** ISO 8601 UTC. */
  at: string
  isEnd?: boolean
  onChange: (begin: Date) => void
}) => {
  const id = useId()
  const moved = isEnd ? DAY_MS : 0
  return (
    <span className="inline-flex items-center gap-1.5">
      <label htmlFor={id} className="whitespace-nowrap text-ink2">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        className="w-36"
        defaultValue={isEnd ? lastDayOf(at) : dayOf(at)}
        key={at}
        max={dayOf(new Date().toISOString())}
        onChange={({ target }) => {
          const day = target.valueAsDate
          if (day !== null && day.getUTCFullYear() > 2000) onChange(new Date(day.getTime() + moved))
        }}
      />
    </span>
  )
}
