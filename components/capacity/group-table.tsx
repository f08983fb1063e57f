import { useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import { formatNoun, formatPercent } from '@/lib/util/format'
import type { CapacityGroup } from './capacity-search-params'
import { GROUP_WORDS, growthWords, isHeldGroup, vgpus } from './capacity-words'
import { figuresOf } from './figures'
import { Spark } from './spark'

const Figure = ({ value, because }: { value: string | null; because: string }) =>
  value === null ? <Unknown reason={because} /> : value

const NEVER = 'no data in this range'

const GroupRow = ({
  series,
  data,
  begin,
  by,
  isChosen,
  onChoose,
}: {
  series: CapacitySeries
  data: Capacity
  /** The first point of which anything is known in the whole table. */
  begin: number
  by: CapacityGroup | 'pgpu'
  isChosen: boolean
  onChoose: () => void
}) => {
  const { capacity, used, peak, peakPlace, growth, stranded } = figuresOf(series)
  const clock = useChartClock(data.stepSeconds)
  const span = peakPlace === null ? null : pointSpan(data, peakPlace)
  const share = used === null || capacity === null ? null : formatPercent(used, capacity)
  return (
    <Tr {...(isChosen ? { className: '[&>td]:bg-sel' } : {})}>
      <Td className="min-w-20">
        <button
          type="button"
          aria-pressed={isChosen}
          onClick={onChoose}
          className="text-left font-[550] text-accent-ink break-words hover:underline"
        >
          {series.label === '' ? GROUP_WORDS[by].unknown : series.label}
        </button>
      </Td>
      <Td className="max-sm:hidden">
        <Spark series={series} begin={begin} />
      </Td>
      <Td isNumber>
        <Figure value={vgpus(used)} because={NEVER} />
      </Td>
      {isHeldGroup(by) ? null : (
        <>
          <Td isNumber>
            <Figure value={vgpus(capacity)} because={NEVER} />
          </Td>
          <Td isNumber className="whitespace-nowrap max-sm:hidden">
            {share}
          </Td>
        </>
      )}
      <Td isNumber>
        <Figure value={vgpus(peak)} because={NEVER} />
      </Td>
      <Td className="whitespace-nowrap text-ink2 text-small max-lg:hidden">
        {span === null ? null : clock.moment(span.at, span.endsAt, span.beginsAt)}
      </Td>
      <Td isNumber>
        <Figure value={growth === null ? null : growthWords(growth)} because="not enough history" />
      </Td>
      {isHeldGroup(by) ? null : (
        <Td isNumber className="max-sm:hidden">
          <Figure value={vgpus(stranded)} because="not reported by Nova and Placement" />
        </Td>
      )}
    </Tr>
  )
}

/** One row for each group, the most used first; pressing one shows it above. */
export const GroupTable = ({
  data,
  by,
  chosen,
  csvPath,
  onChoose,
}: {
  data: Capacity
  by: CapacityGroup | 'pgpu'
  chosen: string | null
  csvPath: string
  onChoose: (key: string | null) => void
}) => {
  const { first, more } = useMoreRows(data.series, 50)
  const { head } = GROUP_WORDS[by]
  const { words } = useChartClock(data.stepSeconds)
  const firsts = data.series.map(({ used }) => used.findIndex((value) => value !== null))
  const begin = Math.min(...firsts.filter((place) => place >= 0))
  return (
    <>
      <TablePanel>
        <Table aria-label={`By ${GROUP_WORDS[by].choice}`}>
          <thead>
            <tr>
              <Th>{head}</Th>
              <Th className="max-sm:hidden">Over time</Th>
              <Th isNumber>In use</Th>
              {isHeldGroup(by) ? null : (
                <>
                  <Th isNumber>Total capacity</Th>
                  <Th isNumber className="max-sm:hidden">
                    Share
                  </Th>
                </>
              )}
              <Th isNumber>Peak</Th>
              <Th className="max-lg:hidden">Peak at ({words})</Th>
              <Th isNumber>Change</Th>
              {isHeldGroup(by) ? null : (
                <Th isNumber className="max-sm:hidden">
                  Stranded
                </Th>
              )}
            </tr>
          </thead>
          <tbody>
            {first.map((series) => (
              <GroupRow
                key={series.key}
                series={series}
                data={data}
                begin={begin}
                by={by}
                isChosen={series.key === chosen}
                onChoose={() => onChoose(series.key === chosen ? null : series.key)}
              />
            ))}
          </tbody>
        </Table>
      </TablePanel>
      {more}
      <p className="mt-2 flex flex-wrap items-center gap-x-2 text-ink3 text-small">
        {data.leftOut === 0 ? null : `${formatNoun(data.leftOut, 'group')} with fewer vGPUs are not shown.`}
        <a href={csvPath} download className="text-accent-ink underline">
          CSV of all {formatNoun(data.series.length + data.leftOut, 'group')}
        </a>
      </p>
    </>
  )
}
