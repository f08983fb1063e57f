import { SideScroll } from '@/components/ui/side-scroll'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { vgpus } from './capacity-words'
import { hourWords, WEEKDAYS, type WeekFigure, weekTint } from './week-words'

const cellWords = (average: number | null, most: number | null): string =>
  average === null
    ? 'unknown, nobody watched it'
    : `${vgpus(average)} used on average, ${vgpus(most)} at most`

const Cell = ({
  average,
  most,
  figure,
  tint,
  hour,
}: {
  average: number | null
  most: number | null
  figure: WeekFigure
  /** Of the accent, in percent. */
  tint: number
  hour: number
}) => {
  const value = figure === 'average' ? average : most
  const words = cellWords(average, most)
  return (
    <td
      title={`${hourWords(hour)}: ${words}`}
      className="h-6 min-w-[29px] border border-panel px-0.5 text-center text-small tabular-nums [print-color-adjust:exact]"
      style={{ background: `color-mix(in srgb, var(--accent) ${tint}%, var(--panel))` }}
    >
      <span aria-hidden>{vgpus(value) ?? '–'}</span>
      <span className="sr-only">{words}</span>
    </td>
  )
}

/** Hours of the week as 7 rows of 24 cells, tinted by how much is used. */
export const WeekTable = ({ data, figure }: { data: CapacityWeek; figure: WeekFigure }) => {
  const tintOf = weekTint(data, figure)
  return (
    <SideScroll className="px-3.5">
      <table aria-label="vGPUs used by weekday and hour" className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            <th scope="col" className="sticky left-0 bg-panel pr-2 text-left font-[550] text-ink2 text-small">
              Day
            </th>
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hourWords(hour)} scope="col" className="font-[450] text-ink3 text-small tabular-nums">
                <span aria-hidden>{String(hour).padStart(2, '0')}</span>
                <span className="sr-only">{hourWords(hour)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.days.map(({ average, most }, day) => (
            <tr key={WEEKDAYS[day]}>
              <th
                scope="row"
                className="sticky left-0 bg-panel pr-2 text-left font-[450] text-ink2 text-small"
              >
                <span aria-hidden>{WEEKDAYS[day]?.slice(0, 3)}</span>
                <span className="sr-only">{WEEKDAYS[day]}</span>
              </th>
              {average.map((value, hour) => (
                <Cell
                  key={hourWords(hour)}
                  average={value}
                  most={most[hour] ?? null}
                  figure={figure}
                  tint={tintOf((figure === 'average' ? value : most[hour]) ?? null)}
                  hour={hour}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  )
}
