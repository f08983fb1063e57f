'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { isHeldGroup, lastDayOf } from '@/components/capacity/capacity-labels'
import type { CapacityView } from '@/components/capacity/use-capacity-view'
import { LoadProblem } from '@/components/shell/load-problem'
import { buttonStyle } from '@/components/ui/button'
import { orUnknown, Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { useReveal } from '@/components/ui/use-reveal'
import { forecastOptions } from '@/lib/api/forecast'
import { overviewOptions } from '@/lib/api/overview'
import type { ForecastAnswer, ForecastBy, ForecastGroup } from '@/lib/schemas/api/forecast'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { capacityPath } from '@/lib/util/paths'
import { scenariosPath } from '@/lib/util/planning-paths'
import { byFull } from './by-full'
import {
  EXHAUSTION_STYLES,
  errorNote,
  formatErrors,
  formatFull,
  formatGrowthRange,
  noBetterNote,
  noForecastText,
  SINCE_NOTE,
} from './forecast-text'
import { needText } from './need-text'
import { vgpusPerCard } from './vgpus-per-card'

const Full = ({ group, today }: { group: ForecastGroup; today: string }) => {
  const { text, tone } = formatFull(group, today)
  // The most frequent reason is shown once below the table.
  const { none } = group
  const because =
    none === null || none.reason === 'no-better' || group.weak !== null
      ? null
      : noForecastText(none, today).because
  return (
    <>
      <span className={classNames('font-[550]', EXHAUSTION_STYLES[tone])}>{text}</span>
      {because === null ? null : <span className="block text-ink3 text-small max-sm:hidden">{because}</span>}
    </>
  )
}

const Row = ({
  group,
  today,
  need,
  isChosen,
  onChoose,
}: {
  group: ForecastGroup
  today: string
  /** What it needs at the end of its forecast; null: nothing, or it is unknown. */
  need: string | null
  isChosen: boolean
  onChoose: (() => void) | null
}) => {
  const label = group.label === '' ? 'all' : group.label
  const { capacity, used } = group
  const growth = formatGrowthRange(group)
  const errors = formatErrors(group)
  const none = group.none === null ? 'no forecast' : noForecastText(group.none, today).because
  return (
    <Tr {...(isChosen ? { className: '[&>td]:bg-sel' } : {})}>
      <Td className="min-w-20">
        {onChoose === null ? (
          label
        ) : (
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={onChoose}
            className="text-left font-[550] text-accent-ink break-words hover:underline"
          >
            <span className="sr-only">Forecast of </span>
            {label}
          </button>
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {used === null || capacity === null ? (
          <Unknown reason="no data" />
        ) : (
          `${formatCount(used)} / ${formatCount(capacity)}`
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap max-sm:hidden">
        {orUnknown(growth, none)}
      </Td>
      <Td isNumber className="whitespace-nowrap max-lg:hidden">
        {orUnknown(errors, none)}
      </Td>
      <Td className="text-right">
        <Full group={group} today={today} />
        {need === null ? null : <span className="block text-small sm:hidden">{need}</span>}
      </Td>
      <Td className="text-right font-[550] max-sm:hidden">{need}</Td>
    </Tr>
  )
}

/** One row for each group, with when it is full; pressing one shows its forecast day by day. */
const ForecastTable = ({
  groups,
  head,
  needOf,
  today,
  chosen,
  onChoose,
}: {
  groups: readonly ForecastGroup[]
  head: string
  needOf: (group: ForecastGroup) => string | null
  today: string
  chosen: string | null
  /** Null: it is one group alone, which is shown anyway. */
  onChoose: ((key: string | null) => void) | null
}) => {
  const { first, more } = useMoreRows(groups, 20)
  const notes = [
    groups.some(({ exhaustion }) => exhaustion?.kind === 'full') ? SINCE_NOTE : null,
    noBetterNote(groups),
  ].filter((note) => note !== null)
  const ofErrors = errorNote(groups)
  return (
    <>
      <Table aria-label="When groups will be full">
        <thead>
          <tr>
            <Th>{head}</Th>
            <Th isNumber>7-day peak</Th>
            <Th isNumber className="max-sm:hidden">
              Change per week
            </Th>
            <Th isNumber className="max-lg:hidden">
              Error / baseline
            </Th>
            <Th className="text-right">Full</Th>
            <Th className="text-right max-sm:hidden">Needs</Th>
          </tr>
        </thead>
        <tbody>
          {first.map((group) => (
            <Row
              key={group.key}
              group={group}
              today={today}
              need={needOf(group)}
              isChosen={group.key === chosen}
              onChoose={onChoose === null ? null : () => onChoose(group.key === chosen ? null : group.key)}
            />
          ))}
        </tbody>
      </Table>
      {more}
      {notes.map((note) => (
        <p key={note} className="mt-2 text-ink3 text-small">
          {note}
        </p>
      ))}
      {ofErrors === null ? null : <p className="mt-2 text-ink3 text-small max-sm:hidden">{ofErrors}</p>}
    </>
  )
}

/** It is shown only after a group is chosen, so its script is loaded then. */
const LazyForecastDays = dynamic(() => import('./forecast-days').then(({ ForecastDays }) => ForecastDays), {
  ssr: false,
  loading: () => <Skeleton className="h-[240px]" />,
})

const HEADS: Readonly<Record<Exclude<ForecastBy, 'all'>, string>> = {
  type: 'Type',
  model: 'Model',
  aggregate: 'Aggregate',
}

/** Flavors and projects have no capacity that could be exhausted: their place take the types. */
const groupedBy = (by: string): keyof typeof HEADS => (by === 'model' || by === 'aggregate' ? by : 'type')

/** A forecast as of the end of a fixed range; null: as of now. */
const endOf = ({ isFixed, range }: CapacityView): string | null => (isFixed ? range.until : null)

/** Why there is no forecast of the selected subject; null: there may be one. */
const Because = ({ view: { cloud, by, chosen, host } }: { view: CapacityView }): ReactNode => {
  const types = (
    <Link
      className="text-accent-ink underline"
      href={capacityPath({ cloud, search: { tab: 'forecast', by: 'type' } })}
    >
      forecasts of the vGPU types
    </Link>
  )
  if (host !== null)
    return (
      <p className="text-ink2">
        Forecasts are not available for a single host or pGPU, because the scheduler distributes servers over
        all hosts. See the {types}.
      </p>
    )
  return (
    <p className="text-ink2">
      A {by} has no capacity, so there is no forecast.{' '}
      {chosen === null ? 'The forecasts of the vGPU types are shown instead.' : <>See the {types}.</>}
    </p>
  )
}

const isWithoutForecast = ({ by, chosen, host }: CapacityView): boolean =>
  host !== null || (chosen !== null && isHeldGroup(by))

const emptyText = (view: CapacityView, until: string | null): string => {
  if (until === null) return 'No forecast yet. A forecast needs six weeks of history.'
  return view.chosen === null
    ? 'No group had capacity in the preceding days.'
    : 'No forecast: the capacity of this group in the last year is unknown.'
}

const Groups = ({ view, data }: { view: CapacityView; data: ForecastAnswer }) => {
  const [pressed, setPressed] = useQueryState('forecast', parseAsString)
  const overview = useQuery(overviewOptions({ cloud: view.cloud })).data
  const { target, reveal } = useReveal('nearest')
  const { cloud, by, chosen } = view
  const grouped = groupedBy(by)
  const { until: today, groups, leftOut } = data
  if (today === null || groups.length === 0) return <p className="text-ink2">{emptyText(view, today)}</p>
  const group = groups.find(({ key }) => key === (chosen ?? pressed))
  const choose = (key: string | null): void => {
    void setPressed(key)
    if (key !== null) reveal()
  }
  return (
    <>
      {isHeldGroup(by) ? <Because view={view} /> : null}
      <ForecastTable
        groups={byFull(groups)}
        head={HEADS[grouped]}
        needOf={(one) => needText(one, vgpusPerCard(overview, { by: grouped, key: one.key }))}
        today={today}
        chosen={group?.key ?? null}
        onChoose={chosen === null ? choose : null}
      />
      {groups.some(({ exhaustion }) => exhaustion?.kind === 'full') ? (
        <p className="mt-2 text-ink3 text-small">
          Use cannot exceed the capacity, so it does not show the demand for a full group. See{' '}
          <Link
            className="text-accent-ink underline"
            href={capacityPath({ cloud, search: { tab: 'refused' } })}
          >
            refused servers
          </Link>
          .
        </p>
      ) : null}
      {leftOut === 0 ? null : (
        <p className="mt-2 text-ink3 text-small">
          {formatNoun(leftOut, 'group')} with fewer vGPUs not shown.
        </p>
      )}
      <div ref={target} className="scroll-mb-44">
        {group === undefined ? null : (
          <LazyForecastDays
            key={group.key}
            cloud={cloud}
            by={grouped}
            group={group}
            today={today}
            until={endOf(view)}
          />
        )}
      </div>
    </>
  )
}

/** When the selected group, or each group, will be full if the trend continues, and its forecast day by day. */
export const ForecastPanel = ({ view }: { view: CapacityView }) => {
  const { cloud, by, chosen } = view
  const isWithout = isWithoutForecast(view)
  const query = useQuery({
    ...forecastOptions({ cloud, by: groupedBy(by), key: chosen, until: endOf(view) }),
    enabled: !isWithout,
  })
  const { data } = query
  if (data === undefined && !isWithout)
    return (
      <>
        <LoadProblem query={query} what="The forecast" />
        {query.error === null ? (
          <div className="mb-3.5">
            <SkeletonRows rows={4} label="Loading the forecast" />
          </div>
        ) : null}
      </>
    )
  const until = isWithout ? null : (data?.until ?? null)
  return (
    <Panel
      className="mb-3.5"
      title="Time until full"
      note={
        until === null
          ? 'at this growth, by daily peaks'
          : `at this growth, by daily peaks and capacity until ${lastDayOf(until)}`
      }
      actions={
        <Link className={buttonStyle({ size: 'small' })} href={scenariosPath({ cloud })}>
          Scenario planner
        </Link>
      }
    >
      {isWithout || data === undefined ? (
        <Because view={view} />
      ) : (
        <>
          <LoadProblem query={query} what="The forecast" />
          <Groups view={view} data={data} />
        </>
      )}
    </Panel>
  )
}
