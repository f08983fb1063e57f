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

/** A group of which was told that it is likely to be full soon. */
export type ToldGroup = Pick<ExpectedGroup, 'by' | 'key'>

/** A group that is likely to be full within so many days is told. */
const EXPECTED_DAYS = 30
/** It is told once more only after the likely day was further away than this, or nothing of the kind was to be said. */
const FORGOTTEN_DAYS = 45

const daysUntil = (day: string, today: string): number => (Date.parse(day) - Date.parse(today)) / DAY_MS

const nameOf = ({ by, key }: ToldGroup): string => `${by} ${key}`

/**
 * Which groups to tell, and which stay told, after a new day's forecasts. `told` groups without a forecast stay told: a gap
 * in the history is no change of mind. Pure.
 */
export const advanceExpected = <Group extends ExpectedGroup>({
  told,
  groups,
  today,
}: {
  told: readonly ToldGroup[]
  groups: readonly Group[]
  today: string
}): { held: ToldGroup[]; begun: Group[] } => {
  const groupOf = new Map(groups.map((group) => [nameOf(group), group]))
  const held = told.filter((one) => {
    const group = groupOf.get(nameOf(one))
    return group === undefined || (group.likely !== null && daysUntil(group.likely, today) <= FORGOTTEN_DAYS)
  })
  const isTold = new Set(held.map(nameOf))
  const begun = groups.filter(
    (group) =>
      group.likely !== null && daysUntil(group.likely, today) <= EXPECTED_DAYS && !isTold.has(nameOf(group)),
  )
  return { held: [...held, ...begun.map(({ by, key }) => ({ by, key }))], begun }
}
