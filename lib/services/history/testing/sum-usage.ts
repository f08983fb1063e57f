import { createFleetGroups, fleetGroupsOfHolding } from '@/lib/domain/history/groups'
import { groupSlot } from '@/lib/domain/utilization/group-usage'
import { joinUsage, type UsageSlot } from '@/lib/domain/utilization/usage-slot'
import { usageGroupName } from '@/lib/services/utilization/group-rows'
import type { MeasuredDay } from '@/simulator/past/past-usage'
import type { HostPast } from '@/simulator/past/types'

const HOURS = 24
const HOUR_MS = 3_600_000

/** The hours of the groups of a UTC day, by day and name of the group. */
export type GroupDays = Map<number, Map<string, (UsageSlot | null)[]>>

type Step = { at: number; names: string[] }

/** The groups of a card from each moment on at which it came into others. */
const groupsOfCards = (host: HostPast, groupsOfPgpu: ReturnType<typeof createFleetGroups>) => {
  const aggregates = new Map(host.words.map((word) => [word.address, word.aggregates]))
  const cards = new Map<string, Step[]>()
  for (const point of host.points) {
    const word = { stranded: null, aggregates: aggregates.get(point.address) ?? [] }
    const names = groupsOfPgpu(point, word).map(usageGroupName)
    const steps = cards.get(point.address) ?? []
    cards.set(point.address, steps)
    if (steps.at(-1)?.names.join() !== names.join()) steps.push({ at: point.at, names })
  }
  return cards
}

const groupsOfGuests = ({ holdings }: HostPast): Map<string, string[]> =>
  new Map(
    holdings
      .filter(({ addresses }) => addresses.length > 0)
      .map((holding) => {
        const count = holding.addresses.length
        return [holding.uuid, fleetGroupsOfHolding({ ...holding, count }).map(usageGroupName)]
      }),
  )

/** The numbers of `GroupSum` for each hour of a day, in place: there are millions of members. */
type Sums = Float64Array
const WIDTH = 5

const addTo = (sums: Sums, hour: number, { utilization, usedMib, totalMib }: UsageSlot): void => {
  const at = hour * WIDTH
  const add = (column: number, value: number): void => {
    sums[at + column] = (sums[at + column] ?? 0) + value
  }
  if (utilization !== null) {
    add(0, utilization.count)
    add(1, utilization.count * utilization.average)
  }
  if (usedMib === null || totalMib === null) return
  add(2, 1)
  add(3, usedMib.average)
  add(4, totalMib)
}

const slotsOf = (sums: Sums): (UsageSlot | null)[] =>
  Array.from({ length: HOURS }, (_, hour) => {
    const [count = 0, weighted = 0, members = 0, usedMib = 0, totalMib = 0] = sums.subarray(hour * WIDTH)
    return groupSlot({ count, weighted, members, usedMib, totalMib })
  })

/** Sums the hours of groups up, host after host; what the console makes of pages and history day by day. */
export const createGroupSums = () => {
  const days = new Map<number, Map<string, Sums>>()
  const groupsOfPgpu = createFleetGroups()
  return {
    /** Takes a host's days in their order, the series of each in that of their numbers. */
    openHost: (host: HostPast): ((measured: MeasuredDay) => void) => {
      const cards = groupsOfCards(host, groupsOfPgpu)
      const guests = groupsOfGuests(host)
      return ({ day, series }) => {
        const sums = days.get(day) ?? new Map<string, Sums>()
        days.set(day, sums)
        const sumsOf = (names: readonly string[]): Sums[] =>
          names.map((name) => {
            const group = sums.get(name) ?? new Float64Array(HOURS * WIDTH)
            sums.set(name, group)
            return group
          })
        for (const { address, guest, hours } of series) {
          const steps = guest === null ? (cards.get(address) ?? []) : []
          const isBefore = (step: Step, hour: number): boolean => step.at < day + (hour + 1) * HOUR_MS
          let names = guest === null ? null : (guests.get(guest) ?? [])
          let groups = sumsOf(names ?? [])
          for (const [hour, slot] of hours.entries()) {
            if (slot === null) continue
            const now = steps.findLast((step) => isBefore(step, hour))
            if (now !== undefined && now.names !== names) {
              names = now.names
              groups = sumsOf(names)
            }
            for (const group of groups) addTo(group, hour, slot)
          }
        }
      }
    },
    days: (): GroupDays =>
      new Map(
        [...days].map(([day, sums]) => [
          day,
          new Map([...sums].map(([name, group]) => [name, slotsOf(group)])),
        ]),
      ),
  }
}

/** The days of each group in the months in which they lie, by month and name. */
export const groupMonths = (days: GroupDays): GroupDays => {
  const months: GroupDays = new Map()
  for (const [day, groups] of days) {
    const date = new Date(day)
    const begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    const month = months.get(begin) ?? new Map<string, (UsageSlot | null)[]>()
    months.set(begin, month)
    for (const [name, hours] of groups) {
      const slots = month.get(name) ?? new Array<null>(31).fill(null)
      month.set(name, slots)
      slots[date.getUTCDate() - 1] = joinUsage(hours)
    }
  }
  return months
}
