import 'server-only'
import { type ComparedPeriods, growthBetween } from '@/lib/domain/history/compare-periods'
import type { Slot } from '@/lib/domain/history/figures'
import { type Group, isHeldDimension } from '@/lib/domain/history/groups'
import { DAY_MS } from '@/lib/domain/history/series'
import { emptyTable, type SlotTable, tableOf } from '@/lib/domain/history/slot-table'
import type { Query } from '@/lib/server/database/database'
import { loadLineStory } from '@/lib/services/history/load-host-story'
import { loadRolledTables } from './load-rolled-slots'
import { fleetSlots, rollUpHost } from './roll-up-host'

/** Of a group by its key; null: not enough history. */
type GrowthOf = (key: string) => number | null
type Period = { tables: ReadonlyMap<string, SlotTable>; fleet: SlotTable }

const growthOfKeys =
  (
    { earlier, later }: { earlier: Period; later: Period },
    { isHeld, days }: { isHeld: boolean; days: number },
  ): GrowthOf =>
  (key) => {
    const periodOf = ({ tables, fleet }: Period) => ({ slots: tables.get(key) ?? emptyTable(days), fleet })
    return growthBetween({ earlier: periodOf(earlier), later: periodOf(later) }, { isHeld, days })
  }

type Span = { from: number; until: number }

/** Growth of groups from the days that are kept. */
export const loadGrowth = async (
  query: Query,
  {
    cloudId,
    dimension,
    keys,
    periods,
  }: { cloudId: number; dimension: string; keys: readonly string[]; periods: ComparedPeriods | null },
): Promise<GrowthOf> => {
  if (periods === null) return () => null
  const { days } = periods
  const load = async (span: Span): Promise<Period> => {
    const range = { cloudId, step: 'day', ...span } as const
    const fleets = await loadRolledTables(query, range, { dimension: 'all', keys: null })
    const tables = dimension === 'all' ? fleets : await loadRolledTables(query, range, { dimension, keys })
    return { tables, fleet: fleets.get('') ?? emptyTable(days) }
  }
  const [earlier, later] = await Promise.all([load(periods.earlier), load(periods.later)])
  return growthOfKeys({ earlier, later }, { isHeld: isHeldDimension(dimension), days })
}

/** Growth of a host, or of its pGPUs, from its changes; `hostIds` begin with the hosts that it continues. */
export const loadHostGrowth = async (
  query: Query,
  {
    hostIds,
    periods,
    isWanted,
  }: { hostIds: readonly number[]; periods: ComparedPeriods | null; isWanted: (group: Group) => boolean },
): Promise<GrowthOf> => {
  if (periods === null) return () => null
  const { days } = periods
  const padded = (slots: readonly (Slot | null)[]): SlotTable =>
    tableOf(Array.from({ length: days }, (_, index) => slots[index] ?? null))
  const load = async ({ from, until }: Span): Promise<Period> => {
    const { events } = await loadLineStory(query, { hostIds, from, until })
    const groups = rollUpHost(events, { begin: from, stepMs: DAY_MS, until })
    const fleet = padded(fleetSlots(groups))
    return { tables: new Map(groups.filter(isWanted).map(({ key, slots }) => [key, padded(slots)])), fleet }
  }
  const [earlier, later] = await Promise.all([load(periods.earlier), load(periods.later)])
  return growthOfKeys({ earlier, later }, { isHeld: false, days })
}
