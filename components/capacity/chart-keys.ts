import { layersOf } from '@/components/charts/chart-layers'
import type { LegendKey } from '@/components/charts/legend'
import type { ChartMark } from '@/components/charts/place-mark-labels'

/** What the chart's layers and lines are. */
export const chartKeys = ({
  isHeld,
  isCompared,
  marks,
}: {
  isHeld: boolean
  isCompared: boolean
  marks: readonly ChartMark[]
}): LegendKey[] => [
  ...layersOf(isHeld).map(({ word, fill, swatch }) => ({ word, fill, swatch })),
  ...(isHeld ? [] : [{ word: 'capacity', colour: 'ink' as const }]),
  ...(isCompared
    ? [{ word: 'in use in the other range', colour: 'ink' as const, dash: 'dashed' as const }]
    : []),
  ...(marks.some(({ isIncident }) => !isIncident)
    ? [{ word: 'change', colour: 'ink' as const, dash: 'dashed' as const, isUpright: true }]
    : []),
  ...(marks.some(({ isIncident }) => isIncident)
    ? [{ word: 'incident or finding', colour: 'warn' as const, dash: 'dotted' as const, isUpright: true }]
    : []),
]
