import type { ScenarioType } from '@/lib/schemas/api/scenario-result'

type FirstFull = { label: string; day: string | null }

/** The first type to be full: its label, and the likely day; null: no type is known to become full. `day` null: it is full now. */
export const firstFull = (
  types: readonly Pick<ScenarioType, 'label' | 'full' | 'capacity'>[],
  side: 'before' | 'after',
): FirstFull | null => {
  const found = types.flatMap(({ label, full, capacity }): FirstFull[] => {
    const exhaustion = full[side]
    if (capacity[side] === 0) return []
    if (side === 'after' && full.shortage !== null) return [{ label, day: full.shortage.from }]
    if (exhaustion?.kind === 'full') return [{ label, day: null }]
    return exhaustion?.kind === 'dated' && exhaustion.likely !== null
      ? [{ label, day: exhaustion.likely }]
      : []
  })
  const [first] = found.toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : 1))
  return first ?? null
}
