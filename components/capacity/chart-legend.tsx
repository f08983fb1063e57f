import { layersOf } from '@/components/charts/chart-layers'
import type { ChartMark } from '@/components/charts/place-mark-labels'

const LINE = 'h-0 w-4 border-t-2'

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
    <ul aria-label="Legend" className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
      {layersOf(isHeld).map(({ word, swatch }) => (
        <li key={word} className="flex items-center gap-1.5">
          <span
            aria-hidden
            className="size-3 rounded-[3px] border border-edge"
            style={{ background: swatch }}
          />
          {word}
        </li>
      ))}
      {lines.map(({ word, style }) => (
        <li key={word} className="flex items-center gap-1.5">
          <span aria-hidden className={`${LINE} ${style}`} /> {word}
        </li>
      ))}
    </ul>
  )
}
