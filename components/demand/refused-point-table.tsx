import { useChartClock } from '@/components/charts/chart-clock'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { formatCount } from '@/lib/util/format'
import { REFUSED_LAYERS } from './refused-layers'
import type { RefusedPoint } from './refused-point'

/** The chart's points as a table, the newest first. */
export const RefusedPointTable = ({
  points,
  stepSeconds,
}: {
  points: readonly RefusedPoint[]
  stepSeconds: number
}) => {
  const { first, more } = useMoreRows(points.toReversed(), 50)
  const clock = useChartClock(stepSeconds)
  return (
    <>
      <SideScroll>
        <Table aria-label="Points of the chart of refused servers">
          <thead>
            <tr>
              <Th>When ({clock.words})</Th>
              <Th isNumber>Refused</Th>
              {REFUSED_LAYERS.map(({ name, word }) => (
                <Th key={name} isNumber>
                  {word}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((point) => (
              <Tr key={point.at}>
                <Td className="whitespace-nowrap">{clock.moment(point.at)}</Td>
                <Td isNumber>{formatCount(point.all)}</Td>
                {REFUSED_LAYERS.map(({ name }) => (
                  <Td key={name} isNumber>
                    {formatCount(point[name])}
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
