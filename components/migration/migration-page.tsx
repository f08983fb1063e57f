'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { asSentence } from '@/components/finding/finding-labels'
import { HostsNav } from '@/components/host/hosts-nav'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { Tooltip } from '@/components/ui/tooltip'
import { migrationOptions } from '@/lib/api/migration'
import type { Migration, MigrationMatrixDto } from '@/lib/schemas/api/migration'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostPath, vgpuActionsPath } from '@/lib/util/paths'
import { MatrixGrid } from './matrix-grid'
import {
  countWays,
  indexWays,
  lineOfHost,
  MAX_LINES,
  type MatrixView,
  matrixView,
  type WayCounts,
  wayOf,
} from './matrix-lines'
import { migrationSearchParams } from './migration-search-params'
import { type CommonReason, commonReasons, VERDICT_MEANINGS, VERDICTS } from './way-labels'
import { WayPanel } from './way-panel'
import { WAY_STYLES } from './way-styles'

const MigrationTools = ({
  types,
  typeId,
  view,
}: {
  types: Migration['types']
  typeId: string
  view: MatrixView
}) => {
  const [{ q }, setParams] = useQueryStates(migrationSearchParams)
  return (
    <Toolbar>
      <ChoiceChip
        label="vGPU type"
        isMultiple={false}
        choices={types.map((type) => ({
          value: type.typeId,
          label: `${type.typeName}${type.typeName === type.typeId ? '' : ` (${type.typeId})`}`,
          count: type.hostCount,
        }))}
        chosen={[typeId]}
        onChoose={([type]) => void setParams({ type: type ?? null, from: null, to: null })}
      />
      <FilterInput
        className="sm:w-[180px]"
        label="Filter by host"
        placeholder="Host"
        value={q}
        onChange={(q) => void setParams({ q })}
      />
      <fieldset className="flex gap-1">
        <legend className="sr-only">Rows and columns</legend>
        <Tooltip
          content={
            view.isTooMany ? `More than ${MAX_LINES} hosts. Filter by name to see single hosts.` : null
          }
        >
          <Button
            variant={view.isGrouped ? 'chip' : 'chipOn'}
            aria-pressed={!view.isGrouped}
            isUnavailable={view.isTooMany}
            onClick={() => void setParams({ by: 'host' })}
          >
            Single hosts
          </Button>
        </Tooltip>
        <Button
          variant={view.isGrouped ? 'chipOn' : 'chip'}
          aria-pressed={view.isGrouped}
          onClick={() => void setParams({ by: 'kind' })}
        >
          Group equal hosts
        </Button>
      </fieldset>
      {q === '' ? null : <ClearButton onClear={() => void setParams({ q: null })} />}
    </Toolbar>
  )
}

const MAX_REASONS = 8
const MAX_HOSTS = 4

/** The most frequent blockers: what to change to allow the most migrations. */
const ReasonsPanel = ({ reasons, cloud }: { reasons: readonly CommonReason[]; cloud: string | null }) => (
  <Panel title="Blockers" note="by number of hosts">
    {reasons.length === 0 ? (
      <p className="text-ink2">None found.</p>
    ) : (
      <ul className="flex flex-col gap-2">
        {reasons.slice(0, MAX_REASONS).map(({ text, hosts }) => (
          <li key={text}>
            <p className="break-words">
              <TimedText text={asSentence(text)} />
            </p>
            <p className="flex flex-wrap gap-x-2 text-ink2 text-small">
              <span className="tabular-nums">{formatNoun(hosts.length, 'host')}:</span>
              {hosts.slice(0, MAX_HOSTS).map((host) => (
                <Link
                  key={host}
                  href={hostPath({ cloud, host })}
                  prefetch={false}
                  className="hover:text-accent-ink hover:underline"
                >
                  {host}
                </Link>
              ))}
              {hosts.length > MAX_HOSTS ? <span>and {hosts.length - MAX_HOSTS} more</span> : null}
            </p>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

/** The signs with their meanings, and how many ways from host to host each has. */
const WayLegend = ({ counts }: { counts: WayCounts }) => (
  <ul className="mx-0.5 my-2.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
    {VERDICTS.map((verdict) => (
      <li key={verdict} className="inline-flex items-center gap-1.5">
        <span
          className={`inline-flex size-[18px] items-center justify-center rounded-[3px] ${WAY_STYLES[verdict]}`}
        />
        {VERDICT_MEANINGS[verdict]}
        <b className="font-semibold text-ink tabular-nums">{formatCount(counts[verdict])}</b>
      </li>
    ))}
    <li className="inline-flex items-center gap-1.5">
      <span className="way-cautioned inline-block size-[18px] rounded-[3px] border border-line" />
      with a caution
    </li>
  </ul>
)

const NoHosts = ({ isRequested }: { isRequested: boolean }) => {
  const { cloud } = useCloud()
  const [, setParams] = useQueryStates(migrationSearchParams)
  return isRequested ? (
    <EmptyState
      title="No host has this vGPU type"
      action={<Button onClick={() => void setParams({ type: null })}>Show the most common type</Button>}
    >
      The type may have been removed, or its name may be misspelled.
    </EmptyState>
  ) : (
    <EmptyState
      title="No host has a vGPU type"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'plain' })}>
          Add host
        </Link>
      }
    >
      The matrix appears as soon as an agent reports a pGPU with a vGPU type. Whole cards cannot be
      live-migrated.
    </EmptyState>
  )
}

const Notes = ({ view, of }: { view: MatrixView; of: number }) => (
  <p className="mx-0.5 mb-2 text-ink2 text-small">
    {of === 1 ? 'Only one host has this type, so there is no target host. ' : ''}
    {view.isGrouped ? 'Hosts with the same properties are grouped. ' : ''}
    {view.isTooMany ? 'Filter by name to see single hosts. ' : ''}
    {view.hidden > 0
      ? `${formatNoun(view.hidden, 'kind', 'kinds')} of hosts more ${view.hidden === 1 ? 'is' : 'are'} not shown.`
      : ''}
  </p>
)

const Matrix = ({ matrix, types }: { matrix: MigrationMatrixDto; types: Migration['types'] }) => {
  const { cloud } = useCloud()
  const [{ q, by, from: fromHost, to: toHost }, setParams] = useQueryStates(migrationSearchParams)
  const ways = useMemo(() => indexWays(matrix), [matrix])
  const view = useMemo(() => matrixView(matrix, { q, isGrouped: by === 'kind' }), [matrix, q, by])
  const { lines } = view
  const [from, to] = [lineOfHost(lines, fromHost), lineOfHost(lines, toHost)]
  const way = from === null || to === null ? null : wayOf(ways, from, to)
  const chosen =
    from === null || to === null || way === null
      ? null
      : { row: lines.indexOf(from), column: lines.indexOf(to) }
  return (
    <>
      <MigrationTools types={types} typeId={matrix.typeId} view={view} />
      <p className="mb-2 hidden text-ink2 print:block">
        {matrix.typeName} ({matrix.typeId}){q === '' ? '' : `, hosts with “${q}”`}
      </p>
      {lines.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams({ q: null })}>Clear the filter</Button>}
        >
          The text must match the name of a host with {matrix.typeName}.
        </EmptyState>
      ) : (
        <>
          <p className="mx-0.5 mb-2 text-ink2 text-small">
            {matrix.support}{' '}
            <Link href={vgpuActionsPath({ cloud })} className="text-accent-ink underline">
              vGPU support
            </Link>
          </p>
          <WayLegend counts={countWays(ways, lines)} />
          <Notes view={view} of={matrix.hosts.length} />
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
            <div className="overflow-hidden rounded-panel border border-line bg-panel px-3.5 py-2">
              <SideScroll>
                <MatrixGrid
                  lines={lines}
                  ways={ways}
                  label={`Live migration of ${matrix.typeName}, from rows to columns`}
                  cloud={cloud}
                  chosen={chosen}
                  onChoose={({ row, column }) =>
                    void setParams({
                      from: lines[row]?.first.name ?? null,
                      to: lines[column]?.first.name ?? null,
                    })
                  }
                />
              </SideScroll>
            </div>
            <div className="flex min-w-0 flex-col gap-3">
              {way === null || from === null || to === null ? null : (
                <WayPanel
                  way={way}
                  from={from}
                  to={to}
                  cloud={cloud}
                  onClose={() => void setParams({ from: null, to: null })}
                />
              )}
              <ReasonsPanel reasons={commonReasons(ways, lines)} cloud={cloud} />
            </div>
          </div>
        </>
      )}
    </>
  )
}

const Pending = () => (
  <div role="status" aria-label="Loading the matrix" className="flex flex-col gap-3">
    <Skeleton className="h-7 w-80" />
    <Skeleton className="h-96" />
  </div>
)

/** From which host to which servers with vGPUs can be live-migrated. */
export const MigrationPage = () => {
  const { cloud } = useCloud()
  const [{ type }] = useQueryStates(migrationSearchParams)
  const query = useQuery(migrationOptions({ cloud, type }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="Live migration"
        sub={
          data === undefined || data.matrix === null
            ? undefined
            : `${data.matrix.typeName} on ${formatNoun(data.matrix.hosts.length, 'host')}`
        }
      />
      <HostsNav />
      <LoadProblem query={query} what="The matrix" />
      <StaleBanner />
      {isPending && error === null ? <Pending /> : null}
      {data === undefined ? null : data.matrix === null ? (
        <NoHosts isRequested={data.types.length > 0} />
      ) : (
        <Matrix matrix={data.matrix} types={data.types} />
      )}
    </>
  )
}
