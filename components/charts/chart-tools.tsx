import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { LegendKey } from './legend'

type ChartView = {
  frame: RefObject<HTMLDivElement | null>
  isTable: boolean
  showTable: (isTable: boolean) => void
}

/** Whether a chart is shown as a table, and the element that it is drawn in, for its tools and its body. */
export const useChartView = (): ChartView => {
  const frame = useRef<HTMLDivElement>(null)
  const [isTable, showTable] = useState(false)
  return { frame, isTable, showTable }
}

/** Turns a chart into its table and saves it as a picture. `children`: the button of its CSV. */
export const ChartTools = ({
  view: { frame, isTable, showTable },
  title,
  keys,
  name,
  children,
}: {
  view: ChartView
  /** Shown on the pictures. */
  title: string
  /** Stand on them, too. */
  keys: readonly LegendKey[]
  /** The base name of the files, without extension. */
  name: string
  children: ReactNode
}) => {
  // Fetched when it is first wanted: a page does without it.
  const save = (way: 'saveAsPng' | 'saveAsSvg') => () => {
    const drawing = frame.current?.querySelector('svg')
    if (drawing != null)
      void import('./save-chart').then((write) => write[way]({ drawing, title, keys, name }))
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
        {isTable ? 'As a chart' : 'As a table'}
      </Button>
      {children}
      <Button size="small" isUnavailable={isTable} onClick={save('saveAsPng')}>
        PNG
      </Button>
      <Button size="small" isUnavailable={isTable} onClick={save('saveAsSvg')}>
        SVG
      </Button>
    </div>
  )
}

/** The chart, or its table in its place. */
export const ChartOrTable = ({
  view: { frame, isTable },
  label,
  table,
  children,
}: {
  view: ChartView
  /** What is drawn. */
  label: string
  table: ReactNode
  children: ReactNode
}) =>
  isTable ? (
    table
  ) : (
    <div ref={frame} role="img" aria-label={`${label}; the table contains the numbers`}>
      {children}
    </div>
  )
