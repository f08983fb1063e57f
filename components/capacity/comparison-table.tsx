import { useChartClock } from '@/components/charts/chart-clock'
import { dayWords } from '@/components/charts/chart-moments'
import { Unknown } from '@/components/ui/key-values'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { growthWords, vgpus } from './capacity-words'
import { figuresOf, type SeriesFigures } from './figures'

const ROWS = [
  { name: 'average', word: 'Used on average' },
  { name: 'peak', word: 'Peak use' },
  { name: 'used', word: 'In use at the end' },
  { name: 'growth', word: 'Change' },
  { name: 'capacity', word: 'Capacity at the end' },
  { name: 'stranded', word: 'Stranded at the end' },
] as const satisfies readonly { name: keyof SeriesFigures; word: string }[]

const OF_HELD = new Set<string>(['average', 'peak', 'used', 'growth'])

/** The days of a range; on a narrow screen one under the other. */
const RangeHead = ({ data: { from, until, stepSeconds } }: { data: Capacity }) => {
  const { zone } = useChartClock(stepSeconds)
  return (
    <Th isNumber>
      {dayWords(Date.parse(from), zone)}{' '}
      <span className="max-sm:block">to {dayWords(Date.parse(until) - 1, zone)}</span>
    </Th>
  )
}

const Figure = ({ value, isSigned }: { value: number | null; isSigned: boolean }) =>
  value === null ? (
    <Unknown reason={isSigned ? 'not enough history' : 'no data in this range'} />
  ) : isSigned ? (
    growthWords(value)
  ) : (
    vgpus(value)
  )

/** Of the displayed, rounded numbers, so that a reader who subtracts them gets the same result. */
const differenceOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.round(a) - Math.round(b)

/** Two ranges in numbers, and what is between them. */
export const ComparisonTable = ({
  now,
  before,
  isHeld,
}: {
  now: { data: Capacity; series: CapacitySeries }
  before: { data: Capacity; series: CapacitySeries }
  isHeld: boolean
}) => {
  const [here, there] = [figuresOf(now.series), figuresOf(before.series)]
  return (
    <SideScroll className="mt-2">
      <Table aria-label="The two ranges">
        <thead>
          <tr>
            <Th>vGPUs</Th>
            <RangeHead data={now.data} />
            <RangeHead data={before.data} />
            <Th isNumber>Difference</Th>
          </tr>
        </thead>
        <tbody>
          {ROWS.filter(({ name }) => !isHeld || OF_HELD.has(name)).map(({ name, word }) => {
            const [a, b] = [here[name], there[name]]
            return (
              <Tr key={name}>
                <Td>{word}</Td>
                <Td isNumber>
                  <Figure value={a} isSigned={name === 'growth'} />
                </Td>
                <Td isNumber>
                  <Figure value={b} isSigned={name === 'growth'} />
                </Td>
                <Td isNumber>
                  <Figure value={differenceOf(a, b)} isSigned />
                </Td>
              </Tr>
            )
          })}
        </tbody>
      </Table>
    </SideScroll>
  )
}
