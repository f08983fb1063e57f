import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { type CapacityGroup, capacitySearchParams, RANGE_DAYS } from './capacity-search-params'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What the page looks at, for each of its panels: the cloud, the groups, the chosen one and the range. */
export type CapacityView = {
  cloud: string | null
  by: CapacityGroup
  /** The chosen group; null: all vGPUs. */
  chosen: string | null
  /** ISO 8601 UTC; `until` null: now. */
  range: { from: string; until: string | null }
  /** The address names the dates. */
  isFixed: boolean
  /** Of a range that goes on. */
  days: number
}

/** From the begin of an hour, so that the question stays the same while the page is looked at. */
const sinceDays = (days: number): string =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString()

/** The view that the address names. The page asks once and hands it to its panels, so that all of them show one range. */
export const useCapacityView = (): CapacityView => {
  const { cloud } = useCloud()
  const [{ by, key, days: asked, from, until }] = useQueryStates(capacitySearchParams)
  const days = RANGE_DAYS.find((known) => known === asked) ?? 30
  const since = useMemo(() => sinceDays(days), [days])
  const isFixed = from !== null && until !== null
  return useMemo(
    () => ({
      cloud,
      by,
      chosen: key,
      range: isFixed ? { from, until } : { from: since, until: null },
      isFixed,
      days,
    }),
    [cloud, by, key, isFixed, from, until, since, days],
  )
}
