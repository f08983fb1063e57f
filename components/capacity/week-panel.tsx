import { useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { capacityWeekOptions } from '@/lib/api/capacity'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { zoneText } from '@/lib/util/format'
import { dayOf, lastDayOf, vgpus } from './capacity-labels'
import type { CapacityView } from './use-capacity-view'
import { busiestHour, formatHour, WEEK_FIGURES, WEEKDAYS, type WeekFigure, weekTint } from './week-labels'

const cellLabel = (average: number | null, max: number | null): string =>
  average === null ? 'no data' : `${vgpus(average)} used on average, ${vgpus(max)} at most`

const Cell = ({
  average,
  max,
  figure,
  tint,
  hour,
}: {
  average: number | null
  max: number | null
  figure: WeekFigure
  /** Of the accent, in percent. */
  tint: number
  hour: number
}) => {
  const value = figure === 'average' ? average : max
  const words = cellLabel(average, max)
  return (
    <td
      title={`${formatHour(hour)}: ${words}`}
      className="h-6 min-w-[29px] border border-panel px-0.5 text-center text-small tabular-nums [print-color-adjust:exact]"
      style={{ background: `color-mix(in srgb, var(--accent) ${tint}%, var(--panel))` }}
    >
      <span aria-hidden>{vgpus(value) ?? '–'}</span>
      <span className="sr-only">{words}</span>
    </td>
  )
}

/** Hours of the week as 7 rows of 24 cells, tinted by how much is used. */
const WeekTable = ({ data, figure }: { data: CapacityWeek; figure: WeekFigure }) => {
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
              <th key={formatHour(hour)} scope="col" className="font-[450] text-ink3 text-small tabular-nums">
                <span aria-hidden>{String(hour).padStart(2, '0')}</span>
                <span className="sr-only">{formatHour(hour)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.days.map(({ average, max }, day) => (
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
                  key={formatHour(hour)}
                  average={value}
                  max={max[hour] ?? null}
                  figure={figure}
                  tint={tintOf((figure === 'average' ? value : max[hour]) ?? null)}
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

const FIGURES = Object.keys(WEEK_FIGURES) as WeekFigure[]

const Note = ({ data, from }: { data: CapacityWeek; from: string }) => {
  const busiest = busiestHour(data)
  return (
    <p className="mb-2 text-ink2 text-small">
      {busiest === null ? (
        'No data in this range.'
      ) : (
        <>
          Busiest hour: {WEEKDAYS[busiest.day]}, {formatHour(busiest.hour)}, with {vgpus(busiest.average)}{' '}
          vGPUs in use on average.
        </>
      )}
      {Date.parse(data.from) > Date.parse(from) + 24 * 3_600_000
        ? ` Hourly data begins on ${dayOf(data.from)}.`
        : null}
    </p>
  )
}

const DownloadButtons = ({
  data,
  figure,
  name,
}: {
  data: CapacityWeek | undefined
  figure: WeekFigure
  name: string
}) => {
  const title =
    data === undefined
      ? ''
      : `Hours of the week, ${name}, vGPUs used ${WEEK_FIGURES[figure]}, ${data.cloud}, ${dayOf(data.from)} to ${lastDayOf(data.until)}, ${zoneText(data.timeZone)}`
  // Fetched when it is first wanted, as what saves the charts.
  const save = (kind: 'png' | 'svg') => () => {
    if (data === undefined) return
    const picture = {
      kind,
      figure,
      title,
      name: `sliceboard-${data.cloud}-hours-of-the-week-${dayOf(data.until)}`,
    }
    void import('./week-picture').then(({ saveWeekPicture }) => saveWeekPicture(data, picture))
  }
  const isUnavailable = data === undefined
  return (
    <>
      <Button
        size="small"
        isUnavailable={isUnavailable}
        onClick={() =>
          data === undefined
            ? undefined
            : void import('./week-csv').then(({ downloadWeek }) => downloadWeek(data))
        }
      >
        CSV
      </Button>
      <Button size="small" isUnavailable={isUnavailable} onClick={save('png')}>
        PNG
      </Button>
      <Button size="small" isUnavailable={isUnavailable} onClick={save('svg')}>
        SVG
      </Button>
    </>
  )
}

/**
 * At which hours of the week vGPUs are used, in the time zone of the charts unless the search params name another.
 * `name`: of the selected subject.
 */
export const WeekPanel = ({
  view: { cloud, by, chosen, range, zone },
  name,
}: {
  view: CapacityView
  name: string
}) => {
  const [figure, setFigure] = useQueryState('week', parseAsStringLiteral(FIGURES).withDefault('average'))
  const question = { cloud, by: chosen === null ? ('all' as const) : by, key: chosen, ...range }
  const query = useQuery(capacityWeekOptions({ ...question, zone }))
  const { data, error } = query
  const isNothing = data !== undefined && busiestHour(data) === null
  if (data === undefined && error !== null) return <LoadProblem query={query} what="The hours of the week" />
  return (
    <Panel
      className="mb-3.5"
      title="Hours of the week"
      note={`vGPUs used, times in ${zoneText(data?.timeZone ?? zone)}`}
      actions={
        <div className="flex flex-wrap gap-2">
          {FIGURES.map((each) => (
            <Button
              key={each}
              size="small"
              variant={each === figure ? 'chipOn' : 'chip'}
              aria-pressed={each === figure}
              onClick={() => void setFigure(each)}
            >
              {WEEK_FIGURES[each]}
            </Button>
          ))}
          <DownloadButtons data={isNothing ? undefined : data} figure={figure} name={name} />
        </div>
      }
    >
      <LoadProblem query={query} what="The hours of the week" />
      {data === undefined ? (
        <Skeleton className="h-48" />
      ) : (
        <>
          <Note data={data} from={range.from} />
          {isNothing ? null : <WeekTable data={data} figure={figure} />}
        </>
      )}
    </Panel>
  )
}
