import type { ReactNode } from 'react'
import { formatGrowth } from '@/components/capacity/capacity-labels'
import { SINCE_NOTE } from '@/components/forecast/forecast-text'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { formatCount, formatNoun } from '@/lib/util/format'
import { AfterCell, CurrentCell, FullCell, SidesHead } from './result-cells'
import { isFlavorChanged, isGroupChanged, joinRows, type ResultRow } from './result-rows'
import type { OpenScenario } from './use-scenario'

/** A scenario whose result is known. */
export type SolvedScenario = { scenario: OpenScenario; result: ScenarioResult }

const EDGE = 'border-l border-l-line'
const ROWS = 20

type TableProps = { solved: readonly SolvedScenario[]; isWhole: boolean }

/** Only rows that differ, unless all are to be shown. */
const differing = <Row,>(
  rows: readonly ResultRow<Row>[],
  isChanged: (row: Row) => boolean,
  isWhole: boolean,
): ResultRow<Row>[] =>
  rows.filter(({ sides }) => isWhole || sides.some((row) => row !== undefined && isChanged(row)))

const scenariosOf = (solved: readonly SolvedScenario[]): OpenScenario[] =>
  solved.map(({ scenario }) => scenario)

/** A panel with a table of results, or the sentence that nothing differs. */
const ResultPanel = ({
  title,
  note,
  rows,
  same,
  children,
}: {
  title: string
  note: string
  rows: number
  /** What is shown without a row. */
  same: string
  children: ReactNode
}) => (
  <Panel title={title} note={note}>
    {rows === 0 ? <p className="text-ink2">{same}</p> : children}
  </Panel>
)

/** States that the answers leave out rows; none: nothing. */
const Listed = ({ solved, name }: { solved: readonly SolvedScenario[]; name: 'flavor' | 'aggregate' }) => {
  const counts = solved.map(({ result }) =>
    name === 'flavor'
      ? { listed: result.flavors?.length ?? 0, count: result.flavorCount }
      : { listed: result.aggregates.length, count: result.aggregateCount },
  )
  const part = counts.find(({ listed, count }) => listed < count)
  return part === undefined ? null : (
    <p className="mt-2 text-ink3 text-small">
      Only the {formatCount(part.listed)} with the largest changes of {formatCount(part.count)} are listed.
    </p>
  )
}

/** What `since` means; nothing where no group is full. */
const SinceNote = ({ groups }: { groups: readonly ScenarioResult['aggregates'][number]['full'][] }) =>
  groups.some(({ before, after }) => before?.kind === 'full' || after?.kind === 'full') ? (
    <p className="mt-2 text-ink3 text-small">{SINCE_NOTE}</p>
  ) : null

/** Capacity and forecast of each type, before and after. */
export const TypesTable = ({ solved, isWhole }: TableProps) => {
  const rows = differing(
    joinRows(
      solved.map(({ result }) => result.types),
      ({ key }) => key,
    ),
    isGroupChanged,
    isWhole,
  )
  const { first: shown, more } = useMoreRows(rows, ROWS)
  const today = solved[0]?.result.today ?? null
  return (
    <ResultPanel
      title="Result by vGPU type"
      note={isWhole ? 'vGPUs' : 'vGPUs, only types that differ'}
      rows={rows.length}
      same="No type differs from the current state."
    >
      <SideScroll>
        <Table aria-label="Result by vGPU type">
          <thead>
            <SidesHead scenarios={scenariosOf(solved)} current={3} perSide={3} />
            <tr>
              <Th>Type</Th>
              <Th isNumber className={EDGE}>
                Capacity
              </Th>
              <Th isNumber>In use</Th>
              <Th className="text-right">Full</Th>
              {solved.map(({ scenario: { side } }) => [
                <Th key={`${side} cards`} isNumber className={EDGE}>
                  Cards
                </Th>,
                <Th key={`${side} capacity`} isNumber>
                  Capacity
                </Th>,
                <Th key={`${side} full`} className="text-right">
                  Full
                </Th>,
              ])}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, first, sides }) => (
              <Tr key={key}>
                <Td className="whitespace-nowrap">{first.label}</Td>
                <CurrentCell value={first.capacity.before} />
                <CurrentCell value={first.used} isFirst={false} />
                <FullCell group={first} side="before" today={today} />
                {sides.map((row, index) => {
                  const side = solved[index]?.scenario.side
                  return [
                    <AfterCell key={`${side} cards`} pair={row?.cards} />,
                    <AfterCell
                      key={`${side} capacity`}
                      pair={row?.capacity}
                      used={row?.used}
                      isFirst={false}
                    />,
                    <FullCell key={`${side} full`} group={row} side="after" today={today} />,
                  ]
                })}
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
      <SinceNote groups={rows.flatMap(({ sides }) => sides.flatMap((row) => row?.full ?? []))} />
    </ResultPanel>
  )
}

type Flavor = NonNullable<ScenarioResult['flavors']>[number]

/** In which aggregates more or fewer fit. */
const ByAggregate = ({ byAggregate, moreAggregates }: Flavor) =>
  byAggregate.length === 0 ? null : (
    <span className="block break-normal text-ink3 text-small wrap-anywhere">
      {byAggregate.map(({ name, more }) => `${name} ${formatGrowth(more)}`).join(', ')}
      {moreAggregates === 0 ? null : ` and ${formatNoun(moreAggregates, 'more aggregate')}`}
    </span>
  )

/** How many more servers of each flavor fit. */
export const FlavorsTable = ({ solved, isWhole }: TableProps) => {
  const rows = differing(
    joinRows(
      solved.map(({ result }) => result.flavors ?? []),
      ({ id }) => id,
    ),
    isFlavorChanged,
    isWhole,
  )
  const { first: shown, more } = useMoreRows(rows, ROWS)
  const { flavors, because, gap } = solved[0]?.result ?? { flavors: null, because: null, gap: null }
  if (flavors === null)
    return (
      <Panel title="Result by flavor">
        <p className="text-ink2">{because}.</p>
      </Panel>
    )
  return (
    <ResultPanel
      title="Result by flavor"
      note={gap ?? 'additional servers that can start'}
      rows={rows.length}
      same="No flavor fits more or fewer servers."
    >
      <SideScroll>
        <Table aria-label="Result by flavor">
          <thead>
            <SidesHead scenarios={scenariosOf(solved)} current={1} perSide={1} />
            <tr>
              <Th>Flavor</Th>
              <Th isNumber className={EDGE}>
                Fit
              </Th>
              {solved.map(({ scenario: { side } }) => (
                <Th key={side} isNumber className={EDGE}>
                  Fit
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, first, sides }) => (
              <Tr key={key}>
                <Td className="min-w-32 break-all">
                  {first.name}
                  {solved.length === 1 ? <ByAggregate {...first} /> : null}
                </Td>
                <CurrentCell value={first.fits.before} />
                {sides.map((row, index) => (
                  <AfterCell key={solved[index]?.scenario.side} pair={row?.fits} />
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
      <Listed solved={solved} name="flavor" />
    </ResultPanel>
  )
}

/** Capacity and forecast of each aggregate, before and after. */
export const AggregatesTable = ({ solved, isWhole }: TableProps) => {
  const rows = differing(
    joinRows(
      solved.map(({ result }) => result.aggregates),
      ({ key }) => key,
    ),
    isGroupChanged,
    isWhole,
  )
  const { first: shown, more } = useMoreRows(rows, ROWS)
  const today = solved[0]?.result.today ?? null
  return (
    <ResultPanel
      title="Result by aggregate"
      note="vGPUs"
      rows={rows.length}
      same="No aggregate differs from the current state."
    >
      <SideScroll>
        <Table aria-label="Result by aggregate">
          <thead>
            <SidesHead scenarios={scenariosOf(solved)} current={2} perSide={3} />
            <tr>
              <Th>Aggregate</Th>
              <Th isNumber className={EDGE}>
                Capacity
              </Th>
              <Th isNumber>In use</Th>
              {solved.map(({ scenario: { side } }) => [
                <Th key={`${side} capacity`} isNumber className={EDGE}>
                  Capacity
                </Th>,
                <Th key={`${side} used`} isNumber>
                  In use
                </Th>,
                <Th key={`${side} full`} className="text-right">
                  Full
                </Th>,
              ])}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, first, sides }) => (
              <Tr key={key}>
                <Td className="min-w-28 wrap-anywhere">{first.label}</Td>
                <CurrentCell value={first.capacity.before} />
                <CurrentCell value={first.used.before} isFirst={false} />
                {sides.map((row, index) => {
                  const side = solved[index]?.scenario.side
                  return [
                    <AfterCell key={`${side} capacity`} pair={row?.capacity} used={row?.used.after} />,
                    <AfterCell key={`${side} used`} pair={row?.used} isFirst={false} />,
                    <FullCell key={`${side} full`} group={row} side="after" today={today} />,
                  ]
                })}
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
      <Listed solved={solved} name="aggregate" />
    </ResultPanel>
  )
}
