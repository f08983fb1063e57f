import { useChartClock } from '@/components/charts/chart-clock'
import type { ChartPoint } from '@/components/charts/chart-point'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { vgpus } from './capacity-words'

const COLUMNS = [
  { name: 'used', head: 'Used' },
  { name: 'usedMax', head: 'Most used' },
  { name: 'before', head: 'Used in the other range' },
  { name: 'spare', head: 'Spare' },
  { name: 'orphan', head: 'Orphan' },
  { name: 'stranded', head: 'Stranded' },
  { name: 'capacity', head: 'Capacity' },
  { name: 'unseen', head: 'Not watched' },
] as const satisfies readonly { name: keyof ChartPoint; head: string }[]

/** The chart's points as a table, the newest first. */
export const PointTable = ({
  points,
  stepSeconds,
  isHeld,
}: {
  points: readonly ChartPoint[]
  stepSeconds: number
  isHeld: boolean
}) => {
  const { first, more } = useMoreRows(points.toReversed(), 50)
  const clock = useChartClock(stepSeconds)
  const isCompared = points.some(({ before }) => before !== undefined)
  const shown = COLUMNS.filter(({ name }) =>
    name === 'before' ? isCompared : !isHeld || name === 'used' || name === 'usedMax',
  )
  return (
    <>
      <SideScroll>
        <Table aria-label="Points of the chart">
          <thead>
            <tr>
              <Th>When ({clock.words})</Th>
              {shown.map(({ name, head }) => (
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
                {shown.map(({ name }) => (
                  <Td key={name} isNumber>
                    {vgpus(point[name] ?? null) ?? <Unknown reason="nobody watched it then" />}
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
