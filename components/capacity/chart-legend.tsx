import { layersOf } from '@/components/charts/chart-layers'
import { Legend, LegendArea, LegendLine } from '@/components/charts/legend'
import type { ChartMark } from '@/components/charts/place-mark-labels'

/** What the chart's layers and lines are. */
export const ChartLegend = ({
  isHeld,
  isCompared,
  marks,
}: {
  isHeld: boolean
  isCompared: boolean
  marks: readonly ChartMark[]
}) => {
  const lines = [
    { word: 'capacity', style: 'border-ink', isShown: !isHeld },
    { word: 'used in the other range', style: 'border-ink border-dashed', isShown: isCompared },
    {
      word: 'change',
      style: 'border-ink border-dashed rotate-90',
      isShown: marks.some(({ isIncident }) => !isIncident),
    },
    {
      word: 'incident or finding',
      style: 'border-warn border-dotted rotate-90',
      isShown: marks.some(({ isIncident }) => isIncident),
    },
  ].filter(({ isShown }) => isShown)
  return (
    <Legend>
      {layersOf(isHeld).map(({ word, swatch }) => (
        <LegendArea key={word} swatch={swatch}>
          {word}
        </LegendArea>
      ))}
      {lines.map(({ word, style }) => (
        <LegendLine key={word} className={style}>
          {word}
        </LegendLine>
      ))}
    </Legend>
  )
}
