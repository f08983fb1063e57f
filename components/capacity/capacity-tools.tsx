import { Check, Link2, X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useChartClock } from '@/components/charts/chart-clock'
import { useIsInBrowser } from '@/components/shell/use-is-in-browser'
import { useTimeZone } from '@/components/shell/use-time-zone'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { useCopy } from '@/components/ui/copyable'
import { Toolbar } from '@/components/ui/toolbar'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { timeZoneName, zoneText } from '@/lib/util/format'
import { GROUP_LABELS } from './capacity-labels'
import { CAPACITY_GROUPS, COMPARISONS, capacitySearchParams, RANGE_DAYS } from './capacity-search-params'
import { DayInput } from './day-input'
import type { CapacityView } from './use-capacity-view'

/**
 * The range of an answer, ISO 8601 UTC, up to the end of its last point that is over: a point that still runs would show other
 * numbers to the next person. Where none is over yet, all of it.
 */
export const heldRange = ({
  from,
  until,
  stepSeconds,
  watermark,
  firstKnownAt,
}: Pick<Capacity, 'from' | 'until' | 'stepSeconds' | 'watermark' | 'firstKnownAt'>): {
  from: string
  until: string
} => {
  const stepMs = stepSeconds * 1000
  const known = Math.min(Date.parse(until), Date.parse(watermark ?? until))
  const over = Math.floor(known / stepMs) * stepMs
  const begin = Math.max(Date.parse(from), Date.parse(firstKnownAt ?? from))
  return { from, until: over > begin ? new Date(over).toISOString() : until }
}

/** The page's own address with its cloud, its dates and its time zone written out, so that it shows others the same numbers. */
const fixedAddress = ({ compared, zone, clock }: CapacityView, data: Capacity): string => {
  const address = new URL(window.location.href)
  const { searchParams } = address
  const { from, until } = heldRange(data)
  searchParams.delete('days')
  searchParams.set('cloud', data.cloud)
  searchParams.set('from', from)
  searchParams.set('until', until)
  searchParams.set('zone', zone)
  searchParams.set('clock', clock)
  if (compared !== null) {
    searchParams.set('compare', 'own')
    searchParams.set('compareFrom', compared.from)
  }
  return address.href
}

/** Copies the page's link, and holds the page itself: what was copied is what is seen. */
const CopyLink = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const { isCopied, copy } = useCopy()
  const [, setParams] = useQueryStates(capacitySearchParams)
  const copyAndHold = (shown: Capacity): void => {
    void copy(fixedAddress(view, shown))
    const { from, until } = heldRange(shown)
    void setParams({ from: new Date(from), until: new Date(until) })
  }
  return (
    <Button
      isUnavailable={data === undefined}
      title="Copies a link with these dates and this time zone. The current interval is not included."
      onClick={() => (data === undefined ? undefined : copyAndHold(data))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy link'}</span>
    </Button>
  )
}

const RANGE_LABELS: Readonly<Record<number, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
}

const COMPARISON_LABELS: Readonly<Record<string, string>> = {
  none: 'nothing',
  previous: 'previous period',
  year: 'previous year',
  own: 'custom start',
}

const DAY_MS = 24 * 3_600_000

/** The dates of a fixed range. A start after the end moves the end, and the other way round. */
const FixedDates = ({ view, zone }: { view: CapacityView; zone: string }) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const from = new Date(view.range.from)
  const until = new Date(view.range.until ?? view.range.from)
  const dayFrom = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)
  return (
    <>
      <DayInput
        label="From"
        at={from.toISOString()}
        zone={zone}
        onChange={(day) => void setParams({ from: day, until: day < until ? until : dayFrom(day, 1) })}
      />
      <DayInput
        label="to"
        at={until.toISOString()}
        isEnd
        zone={zone}
        onChange={(day) => void setParams({ until: day, from: from < day ? from : dayFrom(day, -1) })}
      />
      <Button variant="chipOn" onClick={() => void setParams({ from: null, until: null })}>
        Follow current time <X size={13} aria-hidden />
      </Button>
    </>
  )
}

const Comparison = ({ view, zone }: { view: CapacityView; zone: string }) => {
  const [{ compare }, setParams] = useQueryStates(capacitySearchParams)
  return (
    <>
      <ChoiceChip
        label="Compare with"
        isMultiple={false}
        choices={['none', ...COMPARISONS].map((value) => ({ value, label: COMPARISON_LABELS[value] ?? '' }))}
        chosen={[compare ?? 'none']}
        onChoose={([value]) => {
          const what = COMPARISONS.find((each) => each === value) ?? null
          // Begins with the time before, to be moved from there.
          const begin =
            2 * Date.parse(view.range.from) - Date.parse(view.range.until ?? new Date().toISOString())
          void setParams({ compare: what, compareFrom: what === 'own' ? new Date(begin) : null })
        }}
      />
      {compare === 'own' && view.compared !== null ? (
        <DayInput
          label="starting on"
          at={view.compared.from}
          zone={zone}
          onChange={(day) => void setParams({ compareFrom: day })}
        />
      ) : null}
    </>
  )
}

/**
 * The time zone of the charts: that of the search params, else that of all times. Days that are stored in UTC stay in UTC.
 */
const Clock = ({ view: { clock }, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const isInBrowser = useIsInBrowser()
  const own = useTimeZone()
  const zones = new Set(['UTC', clock, ...(isInBrowser ? [timeZoneName()] : [])])
  const isByDays = clock !== 'UTC' && data !== undefined && data.stepSeconds >= DAY_MS / 1000
  return (
    <>
      <ChoiceChip
        label="Time zone"
        isMultiple={false}
        choices={[...zones].map((value) => ({ value, label: zoneText(value) }))}
        chosen={[clock]}
        onChoose={([value = own]) => void setParams({ clock: value === own ? null : value, zone: null })}
      />
      {isByDays ? (
        <span className="text-ink2 text-small">
          This range is stored by UTC day, so its chart uses UTC. Ranges of up to 100 days can use{' '}
          {zoneText(clock)}.
        </span>
      ) : null}
    </>
  )
}

/**
 * What a tab of the page shows, and its range. Only Usage fixes and compares ranges, by its answer; Forecast and Idle end now, or
 * where a fixed range does.
 */
export const CapacityTools = ({
  view,
  tab,
  data,
}: {
  view: CapacityView
  tab: 'usage' | 'forecast' | 'refused' | 'idle'
  data?: Capacity | undefined
}) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const { days, isFixed, by, host, address } = view
  const { zone } = useChartClock(data?.stepSeconds ?? 0)
  const hold = () => {
    if (data === undefined) return
    const { from, until } = heldRange(data)
    void setParams({ from: new Date(from), until: new Date(until) })
  }
  return (
    <Toolbar>
      {tab === 'usage' || tab === 'refused' ? (
        <ChoiceChip
          label="Range"
          isMultiple={false}
          choices={RANGE_DAYS.map((each) => ({ value: String(each), label: RANGE_LABELS[each] ?? '' }))}
          chosen={isFixed ? [] : [String(days)]}
          onChoose={([value = '30']) => void setParams({ days: Number(value), from: null, until: null })}
        />
      ) : null}
      {isFixed ? <FixedDates view={view} zone={zone} /> : null}
      {tab === 'usage' && !isFixed ? (
        <Button variant="ghost" isUnavailable={data === undefined} onClick={hold}>
          Fix range
        </Button>
      ) : null}
      {tab === 'usage' ? <Comparison view={view} zone={zone} /> : null}
      <Clock view={view} data={data} />
      {host === null ? (
        <ChoiceChip
          label="Group by"
          isMultiple={false}
          choices={CAPACITY_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value].choice }))}
          chosen={[by]}
          onChoose={([value]) =>
            void setParams({ by: CAPACITY_GROUPS.find((each) => each === value) ?? 'type', key: null })
          }
        />
      ) : (
        <Button variant="chipOn" onClick={() => void setParams({ host: null, address: null })}>
          {host} {address} <X size={13} aria-hidden />
          <span className="sr-only">: remove this filter</span>
        </Button>
      )}
      {tab === 'usage' ? (
        <div className="ml-auto">
          <CopyLink view={view} data={data} />
        </div>
      ) : null}
    </Toolbar>
  )
}
