import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { formatCount } from '@/lib/util/format'
import type { ForecastPoint } from './forecast-points'

const Figure = ({ value }: { value: number | null }) => (value === null ? null : formatCount(value))

/** The points as a table, day by day. */
export const ForecastDaysTable = ({ points }: { points: readonly ForecastPoint[] }) => {
  const { first, more } = useMoreRows(points, 60)
  return (
    <>
      <SideScroll>
        <Table aria-label="Days of the forecast">
          <thead>
            <tr>
              <Th>Day (UTC)</Th>
              <Th isNumber>Most used</Th>
              <Th isNumber>Likely</Th>
              <Th isNumber>Four of five</Th>
              <Th isNumber>Capacity</Th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ at, used, likely, range, capacity }) => (
              <Tr key={at}>
                <Td className="whitespace-nowrap">{new Date(at).toISOString().slice(0, 10)}</Td>
                <Td isNumber>
                  {used === null && likely === null ? (
                    <Unknown reason="nobody watched it then" />
                  ) : (
                    <Figure value={used} />
                  )}
                </Td>
                <Td isNumber>
                  <Figure value={likely} />
                </Td>
                <Td isNumber className="whitespace-nowrap">
                  {range?.map(formatCount).join(' to ')}
                </Td>
                <Td isNumber>
                  <Figure value={capacity} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}
