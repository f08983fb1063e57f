import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** What a cell of the week shows, and the share of the week's most by which it is tinted. */
export const WEEK_FIGURES = { average: 'on average', max: 'at most' } as const
export type WeekFigure = keyof typeof WEEK_FIGURES

/** Of the accent in the tint of the week's most; more would take the numbers' contrast. */
const DEEPEST = 55

/** How much of the accent is in a cell's tint, in percent, for each value of the week. */
export const weekTint = ({ days }: Pick<CapacityWeek, 'days'>, figure: WeekFigure) => {
  const max = Math.max(0, ...days.flatMap((day) => day[figure].map((value) => value ?? 0)))
  return (value: number | null): number =>
    value === null || max === 0 ? 0 : Math.round((value / max) * DEEPEST)
}

const twoDigits = (hour: number): string => String(hour).padStart(2, '0')

/** `14:00 to 15:00`. */
export const formatHour = (hour: number): string => `${twoDigits(hour)}:00 to ${twoDigits(hour + 1)}:00`

/** When the most is used, on average: the day and the hour; null: nothing is known. */
export const busiestHour = ({
  days,
}: CapacityWeek): { day: number; hour: number; average: number } | null => {
  let best: { day: number; hour: number; average: number } | null = null
  for (const [day, { average }] of days.entries())
    for (const [hour, value] of average.entries())
      if (value !== null && (best === null || value > best.average)) best = { day, hour, average: value }
  return best
}
