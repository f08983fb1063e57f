import Link from 'next/link'
import type { ReactNode } from 'react'
import { formatDay } from '@/components/forecast/forecast-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { ScenarioResult, ScenarioType } from '@/lib/schemas/api/scenario-result'
import { formatCount } from '@/lib/util/format'
import { priceSettingsPath } from '@/lib/util/planning-paths'
import { firstFull } from './first-full'
import type { SolvedScenario } from './result-tables'
import { SideMark } from './side-mark'
import { valueText } from './value-text'

const cardsOf = (types: readonly ScenarioType[], side: 'before' | 'after'): number =>
  types.reduce((sum, { cards }) => sum + cards[side], 0)

const fullLabel = ({ types, today }: ScenarioResult, side: 'before' | 'after'): string => {
  if (today === null) return 'not enough data'
  const first = firstFull(types, side)
  if (first === null) return 'none expected'
  return first.day === null ? `${first.label}, now` : `${first.label}, ${formatDay(first.day, today)}`
}

const Line = ({
  title,
  current,
  solved,
  cellOf,
}: {
  title: string
  current: ReactNode
  solved: readonly SolvedScenario[]
  cellOf: (result: ScenarioResult) => ReactNode
}) => (
  <Tr>
    <Td className="text-ink2">{title}</Td>
    <Td isNumber>{current}</Td>
    {solved.map(({ scenario: { side }, result }) => (
      <Td key={side} isNumber className="min-w-32">
        {cellOf(result)}
      </Td>
    ))}
  </Tr>
)

/** What a scenario is worth by the price list, and what it needs. */
export const EffortTable = ({ solved }: { solved: readonly SolvedScenario[] }) => {
  const { cloud } = useCloud()
  const first = solved[0]?.result
  if (first === undefined) return null
  const none = <span className="text-ink3">–</span>
  return (
    <Panel
      title="Value and effort"
      note={
        <>
          730 hours per month, prices from{' '}
          <Link className="text-accent-ink underline" href={priceSettingsPath({ cloud })}>
            Settings, Price list
          </Link>
        </>
      }
    >
      <SideScroll>
        <Table aria-label="Value and effort">
          <thead>
            <tr>
              <td className="border-line border-b" />
              <Th isNumber>Current state</Th>
              {solved.map(({ scenario: { side, label } }) => (
                <Th key={side} isNumber>
                  <SideMark side={side} />
                  <span className="sr-only"> {label}</span>
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Line
              title="Value of the difference"
              current={none}
              solved={solved}
              cellOf={({ perMonth }) => (
                <span title={perMonth.because ?? undefined}>{valueText(perMonth)}</span>
              )}
            />
            <Line
              title="GPUs"
              current={formatCount(cardsOf(first.types, 'before'))}
              solved={solved}
              cellOf={({ types }) => formatCount(cardsOf(types, 'after'))}
            />
            <Line
              title="First type to be full"
              current={fullLabel(first, 'before')}
              solved={solved}
              cellOf={(result) => fullLabel(result, 'after')}
            />
            <Line
              title="vGPUs in use that move"
              current={none}
              solved={solved}
              cellOf={({ outcomes }) => formatCount(outcomes.reduce((sum, { moving }) => sum + moving, 0))}
            />
          </tbody>
        </Table>
      </SideScroll>
    </Panel>
  )
}
