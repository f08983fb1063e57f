'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { HostsNav } from '@/components/host/hosts-nav'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { migrationOptions } from '@/lib/api/migration'
import type { Migration, MigrationMatrixDto } from '@/lib/schemas/api/migration'
import { formatNoun } from '@/lib/util/format'
import { agentSettingsPath, vgpuActionsPath } from '@/lib/util/paths'
import { MatrixGrid } from './matrix-grid'
import { countWays, indexWays, lineOfHost, type MatrixView, matrixView, wayOf } from './matrix-lines'
import { migrationSearchParams } from './migration-search-params'
import { MigrationTools } from './migration-tools'
import { ReasonsPanel } from './reasons-panel'
import { WayLegend } from './way-legend'
import { WayPanel } from './way-panel'
import { WaySymbols } from './way-symbols'
import { commonReasons } from './way-words'

const NoHosts = ({ isAsked }: { isAsked: boolean }) => {
  const { cloud } = useCloud()
  const [, setParams] = useQueryStates(migrationSearchParams)
  return isAsked ? (
    <EmptyState
      title="No host carries this vGPU type"
      action={<Button onClick={() => void setParams({ type: null })}>Show the commonest type</Button>}
    >
      It was there when the address was made, or it is written otherwise.
    </EmptyState>
  ) : (
    <EmptyState
      title="No host carries a vGPU type"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'plain' })}>
          Add a host
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
    {of === 1 ? 'One host carries the type: there is nowhere to go. ' : ''}
    {view.isGrouped ? 'Hosts that are equal in all that matters stand together. ' : ''}
    {view.isTooMany ? 'Narrow them by name to see each by itself. ' : ''}
    {view.hidden > 0
      ? `${formatNoun(view.hidden, 'kind', 'kinds')} of hosts more ${view.hidden === 1 ? 'is' : 'are'} not drawn.`
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
      <WaySymbols />
      <MigrationTools types={types} typeId={matrix.typeId} view={view} />
      <p className="mb-2 hidden text-ink2 print:block">
        {matrix.typeName} ({matrix.typeId}){q === '' ? '' : `, hosts with “${q}”`}
      </p>
      {lines.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams({ q: null })}>Clear the filter</Button>}
        >
          The text must stand in the name of a host that carries {matrix.typeName}.
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
        <NoHosts isAsked={data.types.length > 0} />
      ) : (
        <Matrix matrix={data.matrix} types={data.types} />
      )}
    </>
  )
}
