import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { useChartClock } from './chart-clock'
import { axisTicks } from './chart-moments'

const TICK = { fill: 'var(--ink3)', fontSize: 11 }

/** Of every line and area: gaps stay gaps, and there is no animation. */
export const STILL = { dot: false, activeDot: false, isAnimationActive: false, connectNulls: false } as const

/** The frame of a chart over time: grid, axes, and the tooltip. `children` are its lines and areas. */
export const TimeChart = ({
  data,
  stepSeconds,
  label,
  height,
  top = 8,
  values,
  words,
  children,
}: {
  /** `at` in ms since the epoch, ascending. */
  data: readonly { at: number }[]
  stepSeconds: number
  label: string
  height: number
  /** Room above the plot in pixels. */
  top?: number
  /** What the axis of the values is. */
  values: Pick<
    ComponentProps<typeof YAxis>,
    'domain' | 'ticks' | 'tickFormatter' | 'allowDataOverflow' | 'allowDecimals'
  >
  /** Drawn next to the pointer. */
  words: NonNullable<ComponentProps<typeof Tooltip>['content']>
  children: ReactNode
}) => {
  const { zone } = useChartClock(stepSeconds)
  const ticks = useMemo(() => axisTicks(data[0]?.at ?? 0, data.at(-1)?.at ?? 0, zone), [data, zone])
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={data}
        margin={{ top, right: 24, bottom: 0, left: 0 }}
        title={label}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line2)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={['dataMin', 'dataMax']}
          ticks={ticks.map(({ at }) => at)}
          tickFormatter={(at: number) => ticks.find((tick) => tick.at === at)?.words ?? ''}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          minTickGap={16}
        />
        <YAxis width={44} tick={TICK} tickLine={false} axisLine={false} {...values} />
        <Tooltip isAnimationActive={false} cursor={{ stroke: 'var(--edge)' }} content={words} />
        {children}
      </ComposedChart>
    </ResponsiveContainer>
  )
}
