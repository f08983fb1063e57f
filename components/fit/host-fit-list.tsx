'use client'

import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { MoreRows } from '@/components/ui/more-rows'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { formatCount, formatNoun } from '@/lib/util/format'
import { fitSearchParams } from './fit-search-params'
import { groupWords } from './fit-words'
import { HostFitItem } from './host-fit-item'

const CLEAR = { q: null, group: null } as const

/** The blockers host by host, those that fit first, then the nearest miss. */
export const HostFitList = ({
  pages,
  cloud,
  onMore,
}: {
  pages: readonly [FitReportDto, ...FitReportDto[]]
  cloud: string | null
  onMore: (() => void) | null
}) => {
  const [{ q, group }, setParams] = useQueryStates(fitSearchParams)
  const [fit] = pages
  const shown = pages.flatMap(({ hosts }) => hosts)
  const isNarrowed = q !== '' || group !== null
  if (fit.hostCount === 0)
    return (
      <EmptyState title="No host has a GPU">
        Hosts stand here when their agents report GPUs. See Settings, Agents.
      </EmptyState>
    )
  return (
    <section aria-label="Hosts" className="min-w-0">
      <Toolbar>
        <FilterInput
          className="sm:w-[250px]"
          label="Filter by host, model, type"
          value={q}
          onChange={(q) => void setParams({ q })}
        />
        {group === null ? null : <span className="text-ink2">{groupWords(group)}</span>}
        {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
      </Toolbar>
      <p className="sr-only" role="status">
        {isNarrowed ? `${formatCount(fit.total)} of ${formatNoun(fit.hostCount, 'host')} found` : ''}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must stand in the host’s name, its models or its types.
        </EmptyState>
      ) : (
        <ul className={`rounded-panel border border-line bg-panel ${fit.gap === null ? '' : 'old-words'}`}>
          {shown.map((host, place) => (
            <HostFitItem key={host.host} host={host} cloud={cloud} isOpen={place === 0} />
          ))}
        </ul>
      )}
      <MoreRows shown={shown.length} total={fit.total} onMore={onMore} />
    </section>
  )
}
