import { X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useChartClock } from '@/components/charts/chart-clock'
import { useIsInBrowser } from '@/components/shell/use-is-in-browser'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Toolbar } from '@/components/ui/toolbar'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { timeZoneName, zoneWords } from '@/lib/util/format'
import { CAPACITY_GROUPS, COMPARISONS, capacitySearchParams, RANGE_DAYS } from './capacity-search-params'
import { GROUP_WORDS } from './capacity-words'
import { CopyLink } from './copy-link'
import { DayInput } from './day-input'
import { heldRange } from './held-range'
import type { CapacityView } from './use-capacity-view'

const RANGE_WORDS: Readonly<Record<number, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
}

const COMPARISON_WORDS: Readonly<Record<string, string>> = {
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
        choices={['none', ...COMPARISONS].map((value) => ({ value, label: COMPARISON_WORDS[value] ?? '' }))}
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
          label="beginning on"
          at={view.compared.from}
          zone={zone}
          onChange={(day) => void setParams({ compareFrom: day })}
        />
      ) : null}
    </>
  )
}

/**
 * The time zone of the charts: UTC, the reader's or that of the search params. Days that are stored in UTC stay in UTC.
 */
const Clock = ({ view: { clock }, data }: { view: CapacityView; data: Capacity | undefined }) => {
  const [, setParams] = useQueryStates(capacitySearchParams)
  const isInBrowser = useIsInBrowser()
  const zones = new Set(['UTC', clock, ...(isInBrowser ? [timeZoneName()] : [])])
  const isByDays = clock !== 'UTC' && data !== undefined && data.stepSeconds >= DAY_MS / 1000
  return (
    <>
      <ChoiceChip
        label="Time zone"
        isMultiple={false}
        choices={[...zones].map((value) => ({ value, label: zoneWords(value) }))}
        chosen={[clock]}
        onChoose={([value = 'UTC']) => void setParams({ clock: value === 'UTC' ? null : value, zone: null })}
      />
      {isByDays ? (
        <span className="text-ink2 text-small">
          This range is kept by days of UTC, so its chart stays in UTC. Up to 100 days can be in{' '}
          {zoneWords(clock)}.
        </span>
      ) : null}
    </>
  )
}

/** What the page shows, and of which time. */
export const CapacityTools = ({ view, data }: { view: CapacityView; data: Capacity | undefined }) => {
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
      <ChoiceChip
        label="Range"
        isMultiple={false}
        choices={RANGE_DAYS.map((each) => ({ value: String(each), label: RANGE_WORDS[each] ?? '' }))}
        chosen={isFixed ? [] : [String(days)]}
        onChoose={([value = '30']) => void setParams({ days: Number(value), from: null, until: null })}
      />
      {isFixed ? (
        <FixedDates view={view} zone={zone} />
      ) : (
        <Button variant="ghost" isUnavailable={data === undefined} onClick={hold}>
          Fix range
        </Button>
      )}
      <Comparison view={view} zone={zone} />
      <Clock view={view} data={data} />
      {host === null ? (
        <ChoiceChip
          label="By"
          isMultiple={false}
          choices={CAPACITY_GROUPS.map((value) => ({ value, label: GROUP_WORDS[value].choice }))}
          chosen={[by]}
          onChoose={([value]) =>
            void setParams({ by: CAPACITY_GROUPS.find((each) => each === value) ?? 'type', key: null })
          }
        />
      ) : (
        <Button variant="chipOn" onClick={() => void setParams({ host: null, address: null })}>
          {host} {address} <X size={13} aria-hidden />
          <span className="sr-only">: show the whole cloud</span>
        </Button>
      )}
      <div className="ml-auto">
        <CopyLink view={view} data={data} />
      </div>
    </Toolbar>
  )
}
