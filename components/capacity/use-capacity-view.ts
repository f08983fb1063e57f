import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { sinceDays } from '@/components/charts/since-days'
import { useCloud } from '@/components/shell/use-cloud'
import { useTimeZone } from '@/components/shell/use-time-zone'
import type { CapacityQuestion } from '@/lib/api/capacity'
import { comparedRange } from '@/lib/domain/history/compare'
import { isTimeZone } from '@/lib/util/zone-offset'
import { type CapacityGroup, capacitySearchParams, RANGE_DAYS } from './capacity-search-params'

const DAY_MS = 24 * 3_600_000

/** ISO 8601 UTC; `until` null: now. */
type ViewedRange = { from: string; until: string | null }

/** The selection of the page, for each of its panels: the cloud, the groups, the selected one and the ranges. */
export type CapacityView = {
  cloud: string | null
  by: CapacityGroup
  /** The chosen group; null: all vGPUs. */
  chosen: string | null
  /** One host alone, or one pGPU of it, instead of groups; null: the whole fleet. */
  host: string | null
  address: string | null
  range: ViewedRange
  /** The address names the dates. */
  isFixed: boolean
  /** Length of a range that ends now. */
  days: number
  /** The compared range; null: none. */
  compared: { from: string; until: string } | null
  /** IANA name of the time zone of the hours of the week: that of the address, else that of the charts. */
  zone: string
  /** The same of the charts: where the address names none, the zone of all times. */
  clock: string
}

/** The compared range of the same length from the search params; a range that ends now is as long as its days. */
const comparisonOf = (
  { from, until }: ViewedRange,
  { compare, compareFrom, days }: { compare: string | null; compareFrom: Date | null; days: number },
): CapacityView['compared'] => {
  const what =
    compare === 'previous' || compare === 'year'
      ? compare
      : compare === 'own' && compareFrom !== null
        ? compareFrom.getTime()
        : null
  if (what === null) return null
  const begin = Date.parse(from)
  const range = { from: begin, until: until === null ? begin + days * DAY_MS : Date.parse(until) }
  const other = comparedRange(range, what)
  return { from: new Date(other.from).toISOString(), until: new Date(other.until).toISOString() }
}

/** The view that the address names. The page asks once and hands it to its panels, so that all of them show one range. */
export const useCapacityView = (): CapacityView => {
  const { cloud } = useCloud()
  const own = useTimeZone()
  const [params] = useQueryStates(capacitySearchParams)
  const { by, key, host, address, from, until, compare, compareFrom, zone, clock } = params
  const days = RANGE_DAYS.find((known) => known === params.days) ?? 30
  const since = useMemo(() => sinceDays(days), [days])
  return useMemo(() => {
    const isFixed = from !== null && until !== null && from < until
    const range = isFixed
      ? { from: from.toISOString(), until: until.toISOString() }
      : { from: since, until: null }
    const ofCharts = clock !== null && isTimeZone(clock) ? clock : own
    return {
      cloud,
      by,
      chosen: host === null ? key : null,
      host,
      address: host === null ? null : address,
      range,
      isFixed,
      days,
      compared: comparisonOf(range, { compare, compareFrom, days }),
      zone: zone !== null && isTimeZone(zone) ? zone : ofCharts,
      clock: ofCharts,
    }
  }, [cloud, by, key, host, address, from, until, since, days, compare, compareFrom, zone, clock, own])
}

/** What the view has chosen, as a question to the history. */
export const chosenQuestion = ({
  cloud,
  by,
  chosen,
  host,
  address,
}: CapacityView): Omit<CapacityQuestion, 'from' | 'until'> => {
  if (host !== null) return { cloud, by: address === null ? 'host' : 'pgpu', key: null, host, address }
  return { cloud, by: chosen === null ? 'all' : by, key: chosen }
}

/** The same as a question to what happened. */
export const marksQuestion = ({ cloud, by, chosen, host, address }: CapacityView) => ({
  cloud,
  by: chosen === null ? ('all' as const) : by,
  key: chosen,
  host,
  address,
})
