import { useMemo, useRef, useState } from 'react'
import { layersOf } from '@/components/charts/chart-layers'
import { toPoints } from '@/components/charts/chart-point'
import { LazyCapacityChart } from '@/components/charts/lazy-capacity-chart'
import { saveAsPng, saveAsSvg } from '@/components/charts/save-chart'
import { Button, buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { PointTable } from './point-table'

const Legend = ({ isHeld }: { isHeld: boolean }) => (
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
    {isHeld ? null : (
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="h-0 w-3 border-ink border-t-2" /> capacity
      </li>
    )}
  </ul>
)

/** The chart of one series, with its table and its files. */
export const ChartPanel = ({
  data,
  series,
  title,
  csvPath,
  fileName,
  isHeld,
}: {
  data: Capacity
  series: CapacitySeries
  title: string
  csvPath: string
  fileName: string
  isHeld: boolean
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isTable, setIsTable] = useState(false)
  const points = useMemo(() => toPoints(series, data), [series, data])
  const save = (write: typeof saveAsSvg | typeof saveAsPng) => () => {
    const drawing = frame.current?.querySelector('svg')
    if (drawing != null) void write({ drawing, title: `${title}, ${data.cloud}, UTC`, name: fileName })
  }
  return (
    <Panel
      className="mb-3.5"
      title={title}
      note="vGPUs, times in UTC"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button size="small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? 'As a chart' : 'As a table'}
          </Button>
          <a href={csvPath} download className={buttonStyle({ size: 'small' })}>
            CSV
          </a>
          <Button size="small" isUnavailable={isTable} onClick={save(saveAsPng)}>
            PNG
          </Button>
          <Button size="small" isUnavailable={isTable} onClick={save(saveAsSvg)}>
            SVG
          </Button>
        </div>
      }
    >
      {isTable ? (
        <PointTable points={points} stepSeconds={data.stepSeconds} isHeld={isHeld} />
      ) : (
        <div ref={frame} role="img" aria-label={`${title}; its numbers stand in the table`}>
          <LazyCapacityChart points={points} stepSeconds={data.stepSeconds} isHeld={isHeld} label={title} />
        </div>
      )}
      <Legend isHeld={isHeld} />
    </Panel>
  )
}
