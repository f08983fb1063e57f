import type { ReactNode } from 'react'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { useChartClock } from './chart-clock'

/** When a point is, in ms, and as far as anything is known of it. */
type Point = { at: number; endsAt?: number | undefined; beginsAt?: number | undefined }

/** The value of a point in a column; null: unknown. */
export type PointColumn<P> = { name: string; head: string; words: (point: P) => ReactNode }

/** A chart's points as a table, the newest first. `unknown`: why a number may be missing. */
export const ChartPointTable = <P extends Point>({
  label,
  points,
  stepSeconds,
  columns,
  unknown,
}: {
  label: string
  points: readonly P[]
  stepSeconds: number
  columns: readonly PointColumn<P>[]
  unknown: string
}) => {
  const { first, more } = useMoreRows(points.toReversed(), 50)
  const clock = useChartClock(stepSeconds)
  return (
    <>
      <SideScroll>
        <Table aria-label={label}>
          <thead>
            <tr>
              <Th>Time ({clock.words})</Th>
              {columns.map(({ name, head }) => (
                <Th key={name} isNumber>
                  {head}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((point) => (
              <Tr key={point.at}>
                <Td className="whitespace-nowrap">{clock.moment(point.at, point.endsAt, point.beginsAt)}</Td>
                {columns.map(({ name, words }) => (
                  <Td key={name} isNumber className="whitespace-nowrap">
                    {words(point) ?? <Unknown reason={unknown} />}
                  </Td>
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}
