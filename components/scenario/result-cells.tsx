import type { ReactNode } from 'react'
import { formatGrowth } from '@/components/capacity/capacity-labels'
import { formatDay } from '@/components/forecast/forecast-text'
import { Td, Th } from '@/components/ui/table'
import type { ScenarioType } from '@/lib/schemas/api/scenario-result'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { fullText } from './full-text'
import { SideMark } from './side-mark'
import type { OpenScenario } from './use-scenario'

const EDGE = 'border-l border-l-line'

/** The first line of a table of results: the current state, then each scenario over its columns. */
export const SidesHead = ({
  scenarios,
  current,
  perSide,
}: {
  scenarios: readonly OpenScenario[]
  /** Columns of the current state, and of each scenario. */
  current: number
  perSide: number
}) => (
  <tr>
    <td className="border-line border-b bg-panel" />
    <Th colSpan={current} className={EDGE}>
      Current state
    </Th>
    {scenarios.map(({ side, label }) => (
      <Th key={side} colSpan={perSide} className={EDGE}>
        <span className="inline-flex items-center gap-1.5">
          <SideMark side={side} />
          <span className="max-w-48 truncate">{label}</span>
        </span>
      </Th>
    ))}
  </tr>
)

type Pair = { before: number; after: number }

const difference = ({ before, after }: Pair): ReactNode =>
  after === before ? null : (
    <span className={after > before ? 'text-accent-ink' : 'text-warn'}> {formatGrowth(after - before)}</span>
  )

/** More in use than there would be. */
const Missing = ({ used, capacity }: { used: number; capacity: number }) =>
  used > capacity ? (
    <span className="block text-bad text-small">{formatCount(used - capacity)} missing</span>
  ) : null

/**
 * The number after the steps, with the difference; of a capacity also how many vGPUs in use (`used`) it lacks. Undefined: the
 * answer leaves the row out.
 */
export const AfterCell = ({
  pair,
  used,
  isFirst = true,
}: {
  pair: Pair | undefined
  used?: number | undefined
  isFirst?: boolean
}) => (
  <Td isNumber className={classNames('whitespace-nowrap', isFirst && EDGE)}>
    {pair === undefined ? (
      <span className="text-ink3">–</span>
    ) : (
      <>
        <span className={pair.after === pair.before ? '' : 'font-[550]'}>{formatCount(pair.after)}</span>
        {difference(pair)}
        {used === undefined ? null : <Missing used={used} capacity={pair.after} />}
      </>
    )}
  </Td>
)

export const CurrentCell = ({ value, isFirst = true }: { value: number; isFirst?: boolean }) => (
  <Td isNumber className={classNames('whitespace-nowrap', isFirst && EDGE)}>
    {formatCount(value)}
  </Td>
)

type Group = Pick<ScenarioType, 'capacity' | 'full'>

/** `full from 9 Dec until 20 Jan`: a step comes too late. */
const Shortage = ({ group, today }: { group: Group; today: string | null }) =>
  group.full.shortage === null || today === null ? null : (
    <span className="block text-bad text-small">
      full from {formatDay(group.full.shortage.from, today)} until{' '}
      {formatDay(group.full.shortage.until, today)}
    </span>
  )

/** When a group is full, before or after the steps. */
export const FullCell = ({
  group,
  side,
  today,
}: {
  group: Group | undefined
  side: 'before' | 'after'
  today: string | null
}) => {
  if (group === undefined) return <Td className="text-right text-ink3">–</Td>
  if (group.capacity[side] === 0) return <Td className="text-right text-ink3">no vGPUs</Td>
  const text = fullText(group, side, today)
  const isNew = side === 'after' && text !== fullText(group, 'before', today)
  return (
    <Td className={classNames('min-w-24 text-right', isNew && 'font-[550]')}>
      {text}
      {side === 'after' ? <Shortage group={group} today={today} /> : null}
    </Td>
  )
}
