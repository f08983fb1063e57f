import { useChartClock } from '@/components/charts/chart-clock'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { formatMib } from '@/lib/util/format'
import { percentWords, type UsagePoint } from './usage-point'

const NEVER = 'nobody measured it then'

const Figure = ({ words }: { words: string | null }) => (
  <Td isNumber className="whitespace-nowrap">
    {words ?? <Unknown reason={NEVER} />}
  </Td>
)

const percent = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : percentWords(value)
const mib = (value: number | null): string | null => (value === null ? null : formatMib(Math.round(value)))

/** The chart's points as a table, the newest first. */
export const UsageTable = ({
  points,
  stepSeconds,
}: {
  points: readonly UsagePoint[]
  stepSeconds: number
}) => {
  const { first, more } = useMoreRows(points.toReversed(), 50)
  const clock = useChartClock(stepSeconds)
  return (
    <>
      <SideScroll>
        <Table aria-label="Points of the chart of utilisation">
          <thead>
            <tr>
              <Th>When ({clock.words})</Th>
              <Th isNumber>Utilisation</Th>
              <Th isNumber>Least</Th>
              <Th isNumber>Most</Th>
              <Th isNumber>Framebuffer used</Th>
              <Th isNumber>Framebuffer</Th>
            </tr>
          </thead>
          <tbody>
            {first.map((point) => (
              <Tr key={point.at}>
                <Td className="whitespace-nowrap">{clock.moment(point.at, point.endsAt)}</Td>
                <Figure words={percent(point.utilisation)} />
                <Figure words={percent(point.extremes?.[0])} />
                <Figure words={percent(point.extremes?.[1])} />
                <Figure words={mib(point.usedMib)} />
                <Figure words={mib(point.totalMib)} />
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}
