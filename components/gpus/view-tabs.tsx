'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { createLoader } from 'nuqs'
import { useMemo, useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useIsRefused } from '@/components/shell/use-is-refused'
import { Button } from '@/components/ui/button'
import { CountBadge } from '@/components/ui/count-badge'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { toast } from '@/components/ui/toast-store'
import { deleteSavedViewOptions, savedViewsOptions } from '@/lib/api/saved-views'
import { filterGpus } from '@/lib/domain/gpu-list/filter-gpus'
import type { SavedView } from '@/lib/schemas/api/saved-view'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { savedViewPath } from '@/lib/util/paths'
import { filterOf } from './gpu-params'
import { gpuSearchParams } from './gpu-search-params'
import type { GpuView } from './use-gpu-view'
import { ViewDialog } from './view-dialog'
import { viewQuery } from './view-query'

const load = createLoader(gpuSearchParams)

/** How many pGPUs a view shows; null: a server's name may be searched, which the browser cannot do. */
const countOf = (
  query: string,
  { store, silentHosts }: Pick<GpuView, 'store' | 'silentHosts'>,
): number | null => {
  const filter = filterOf(load(new URLSearchParams(query)))
  return filter.text === '' ? filterGpus(store, filter, { silentHosts, serverGpus: [] }).length : null
}

const tabStyle = (isActive: boolean): string =>
  classNames(
    'flex min-h-8 items-center gap-1.5 whitespace-nowrap border-b-2 px-2',
    isActive ? 'border-accent font-semibold text-ink' : 'border-transparent text-ink2 hover:text-ink',
  )

const ViewTab = ({
  label,
  query,
  count,
  isActive,
}: {
  label: string
  query: string
  count: number | null
  isActive: boolean
}) => {
  const { cloud } = useCloud()
  return (
    <Link
      href={savedViewPath({ cloud, query })}
      prefetch={false}
      aria-current={isActive ? 'page' : undefined}
      className={tabStyle(isActive)}
    >
      {label}
      {count === null ? null : (
        <CountBadge text={formatCount(count)} label={formatNoun(count, 'pGPU')} tone="quiet" />
      )}
    </Link>
  )
}

const ViewMenu = ({ view, onEdit }: { view: SavedView; onEdit: () => void }) => {
  const remove = useMutation(deleteSavedViewOptions())
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="small" aria-label={`Actions for the view ${view.name}`}>
          <MoreHorizontal size={14} aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={onEdit}>Edit view</DropdownMenuItem>
        <DropdownMenuItem
          isDanger
          onSelect={() =>
            remove.mutate(
              { id: view.id },
              {
                onSuccess: () => toast.done(`The view “${view.name}” was deleted.`),
                onError: (error) => toast.error(error.message),
              },
            )
          }
        >
          Delete view
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Saved views of the list, own and shared; the address is the view. */
export const ViewTabs = ({ view }: { view: GpuView }) => {
  const { cloud } = useCloud()
  const { data } = useQuery(savedViewsOptions({ cloud }))
  const current = viewQuery(new URLSearchParams(useSearchParams()))
  const mayShare = !useIsRefused('view.share')
  const [edited, setEdited] = useState<SavedView | 'new' | null>(null)
  const { store, silentHosts, isWhole } = view
  const counts = useMemo(
    () =>
      new Map(
        (data?.views ?? []).map(
          ({ query }) => [query, isWhole ? countOf(query, { store, silentHosts }) : null] as const,
        ),
      ),
    [data, store, silentHosts, isWhole],
  )
  if (data === undefined) return null
  const { views } = data
  const active = views.find(({ query }) => query === current)
  return (
    <nav
      aria-label="Saved views"
      className="flex items-center gap-x-1 overflow-x-auto overflow-y-hidden border-line border-b"
    >
      <ViewTab label="All GPUs" query="" count={isWhole ? store.count : null} isActive={current === ''} />
      {views.map(({ id, name, query, isOwn, owner }) => (
        <ViewTab
          key={id}
          label={isOwn ? name : `${name} (${owner})`}
          query={query}
          count={counts.get(query) ?? null}
          isActive={id === active?.id}
        />
      ))}
      {active === undefined ? (
        <Button variant="ghost" size="small" onClick={() => setEdited('new')} disabled={current === ''}>
          <Plus size={13} aria-hidden /> Save view
        </Button>
      ) : active.isOwn || (active.isShared && mayShare) ? (
        <ViewMenu view={active} onEdit={() => setEdited(active)} />
      ) : null}
      {edited === null ? null : (
        <ViewDialog
          view={edited === 'new' ? null : edited}
          query={current}
          own={views.filter(({ isOwn }) => isOwn)}
          onClose={() => setEdited(null)}
        />
      )}
    </nav>
  )
}
