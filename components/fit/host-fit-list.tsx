'use client'

import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { useMoreRows } from '@/components/ui/more-rows'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { FitReportDto, HostFitDto } from '@/lib/schemas/api/fit'
import { formatNoun } from '@/lib/util/format'
import { fitSearchParams } from './fit-search-params'
import { type FitGroup, groupOf, groupWords } from './fit-words'
import { HostFitItem } from './host-fit-item'

const CLEAR = { q: null, group: null } as const

const isShown = (host: HostFitDto, q: string, group: FitGroup | null): boolean => {
  if (group !== null && groupOf(host) !== group) return false
  const text = [host.host, ...host.pgpus.map(({ model, typeName }) => `${model} ${typeName ?? ''}`)]
    .join(' ')
    .toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Host by host what stands in the way, those that fit first, then the nearest miss. */
export const HostFitList = ({ fit, cloud }: { fit: FitReportDto; cloud: string | null }) => {
  const [{ q, group }, setParams] = useQueryStates(fitSearchParams)
  const shown = fit.hosts.filter((host) => isShown(host, q, group))
  const { first, more } = useMoreRows(shown, 50)
  const isNarrowed = q !== '' || group !== null
  if (fit.hosts.length === 0)
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
        {isNarrowed ? `${shown.length} of ${formatNoun(fit.hosts.length, 'host')} shown` : ''}
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
          {first.map((host, place) => (
            <HostFitItem key={host.host} host={host} cloud={cloud} isOpen={place === 0} />
          ))}
        </ul>
      )}
      {more}
    </section>
  )
}
