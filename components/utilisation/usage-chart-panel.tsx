import { type ReactNode, useRef, useState } from 'react'
import { saveAsPng, saveAsSvg } from '@/components/charts/save-chart'
import { Button, buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { LazyUsageChart } from './lazy-usage-chart'
import type { UsagePoint } from './usage-point'
import { UsageTable } from './usage-table'

const Legend = ({ isGroup }: { isGroup: boolean }) => (
  <ul aria-label="Legend" className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="h-0 w-3 border-accent border-t-2" /> utilisation, on average
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="size-3 rounded-[3px] border border-edge bg-accent2" />
      {isGroup ? 'least and most busy hour' : 'least and most'}
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="h-0 w-3 border-ink2 border-t-2 border-dashed" /> framebuffer in use
    </li>
  </ul>
)

/** A chart of utilisation, with its table and its files. `children` stand above it. */
export const UsageChartPanel = ({
  points,
  stepSeconds,
  title,
  subject,
  csvPath,
  fileName,
  isGroup,
  height,
  className,
  children,
}: {
  points: readonly UsagePoint[]
  stepSeconds: number
  title: string
  /** What is measured, and in which cloud: stands on saved pictures. */
  subject: string
  csvPath: string
  fileName: string
  isGroup: boolean
  height: number
  className?: string
  children?: ReactNode
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isTable, setIsTable] = useState(false)
  const save = (write: typeof saveAsSvg | typeof saveAsPng) => () => {
    const drawing = frame.current?.querySelector('svg')
    if (drawing != null) void write({ drawing, title: `${title} of ${subject}, UTC`, name: fileName })
  }
  return (
    <Panel
      {...(className === undefined ? {} : { className })}
      title={title}
      note="percent, times in UTC"
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
      {children}
      {isTable ? (
        <UsageTable points={points} stepSeconds={stepSeconds} />
      ) : (
        <div ref={frame} role="img" aria-label={`${title} of ${subject}; its numbers stand in the table`}>
          <LazyUsageChart points={points} stepSeconds={stepSeconds} label={title} height={height} />
        </div>
      )}
      <Legend isGroup={isGroup} />
    </Panel>
  )
}
