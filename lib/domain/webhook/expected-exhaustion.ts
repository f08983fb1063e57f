import type { WARNED_DIMENSIONS } from '@/lib/schemas/states'
import { DAY_MS } from '../history/series'

/** A group as its forecast has it. Days are dates in UTC: `2027-01-12`; `likely` null: no likely day is known. */
export type ExpectedGroup = {
  by: (typeof WARNED_DIMENSIONS)[number]
  key: string
  label: string
  likely: string | null
  capacity: number
  used: number
}

/** A group for which webhooks were notified that it is likely to be full soon. */
export type NotifiedGroup = Pick<ExpectedGroup, 'by' | 'key'>

/** Webhooks are notified of a group that is likely to be full within this number of days. */
const EXPECTED_DAYS = 30
/** They are notified again only after the likely day was later than this, or after a forecast without a likely day. */
const FORGOTTEN_DAYS = 45

const daysUntil = (day: string, today: string): number => (Date.parse(day) - Date.parse(today)) / DAY_MS

const nameOf = ({ by, key }: NotifiedGroup): string => `${by} ${key}`

/**
 * The groups to notify of, and those that remain notified, after a new day's forecasts. A notified group without a forecast
 * remains notified: a gap in the history changes nothing. Pure.
 */
export const advanceExpected = <Group extends ExpectedGroup>({
  notified,
  groups,
  today,
}: {
  notified: readonly NotifiedGroup[]
  groups: readonly Group[]
  today: string
}): { held: NotifiedGroup[]; begun: Group[] } => {
  const groupOf = new Map(groups.map((group) => [nameOf(group), group]))
  const held = notified.filter((one) => {
    const group = groupOf.get(nameOf(one))
    return group === undefined || (group.likely !== null && daysUntil(group.likely, today) <= FORGOTTEN_DAYS)
  })
  const isNotified = new Set(held.map(nameOf))
  const begun = groups.filter(
    (group) =>
      group.likely !== null &&
      daysUntil(group.likely, today) <= EXPECTED_DAYS &&
      !isNotified.has(nameOf(group)),
  )
  return { held: [...held, ...begun.map(({ by, key }) => ({ by, key }))], begun }
}
