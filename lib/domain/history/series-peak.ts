import { pointColumn, type SlotTable } from './slot-table'

/** The most vGPUs in use at once, and the capacity of the same slot. `index`: the slot. */
export type SeriesPeak = { used: number; capacity: number | null; index: number }

/** The peak between two slots; null: the use is never known there. The first of equal peaks counts. */
export const seriesPeak = (
  table: SlotTable,
  { begin, end, ...terms }: { fleet: SlotTable; isHeld: boolean; begin: number; end: number },
): SeriesPeak | null => {
  const [used, capacity] = [
    pointColumn(table, 'used', { ...terms, per: 1 }),
    pointColumn(table, 'capacity', { ...terms, per: 1 }),
  ]
  let peak: SeriesPeak | null = null
  for (let index = begin; index < end; index += 1) {
    const max = used.max[index] ?? null
    if (max === null || (peak !== null && max <= peak.used)) continue
    peak = { used: max, capacity: capacity.max[index] ?? null, index }
  }
  return peak
}
