import { useId } from 'react'
import { dayBegin, formatDay } from '@/components/charts/chart-moments'
import { Input } from '@/components/ui/input'

const DAY_MS = 24 * 3_600_000

const dayAfter = (day: string): string => {
  const begin = dayBegin(day, 'UTC')
  return begin === null ? '' : formatDay(begin.getTime() + DAY_MS, 'UTC')
}

/** A day by the clocks of a zone; one that is not whole yet changes nothing. `isEnd`: the moment is the end of its day, that is the begin of the next. */
export const DayInput = ({
  label,
  at,
  isEnd = false,
  zone,
  onChange,
}: {
  label: string
  /** ISO 8601 UTC. */
  at: string
  isEnd?: boolean
  zone: string
  onChange: (begin: Date) => void
}) => {
  const id = useId()
  return (
    <span className="inline-flex items-center gap-1.5">
      <label htmlFor={id} className="whitespace-nowrap text-ink2">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        className="w-36"
        defaultValue={formatDay(Date.parse(at) - (isEnd ? 1 : 0), zone)}
        key={`${at} ${zone}`}
        max={formatDay(Date.now(), zone)}
        onChange={({ target }) => {
          const day = isEnd ? dayAfter(target.value) : target.value
          const begin = dayBegin(day, zone)
          if (begin !== null && begin.getUTCFullYear() > 2000) onChange(begin)
        }}
      />
    </span>
  )
}
