'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useDeferredValue, useState } from 'react'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { useColumns } from '@/components/table/use-columns'
import { Button } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { auditOptions } from '@/lib/api/audit'
import type { AuditEntryDto } from '@/lib/schemas/api/audit'
import { AUDIT_COLUMNS } from './audit-columns'
import { AuditDetail } from './audit-detail'
import { auditSearchParams, isNarrowed, questionOf } from './audit-search-params'
import { AuditTools } from './audit-tools'
import { ChainCheck } from './chain-check'

const Entries = ({ entries, columns }: { entries: AuditEntryDto[]; columns: typeof AUDIT_COLUMNS }) => {
  const { cloud } = useCloud()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const onToggle = (id: number) =>
    setOpen(new Set(open.has(id) ? [...open].filter((one) => one !== id) : [...open, id]))
  return (
    <DataTable
      label="Audit"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      context={{ cloud, isOpen: (id) => open.has(id), onToggle }}
      detail={(entry) => (open.has(entry.id) ? <AuditDetail {...entry} /> : null)}
    />
  )
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No entry matches the filter">Change or clear the filter.</EmptyState>
  ) : (
    <EmptyState title="No entries yet">
      Every sign-in, token, agent, acknowledgement, change and step is recorded here.
    </EmptyState>
  )

/** Settings → Audit: who did what, to what, when. */
export const AuditPage = () => {
  const { cloud } = useCloud()
  const [filter] = useQueryStates(auditSearchParams)
  const { columns, menu } = useColumns(AUDIT_COLUMNS)
  const question = questionOf(cloud, useDeferredValue(filter))
  const list = useInfiniteQuery(auditOptions(question))
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <PageTitle
        title="Audit"
        actions={
          <Button isUnavailable={list.isFetching} onClick={() => void list.refetch()}>
            Refresh
          </Button>
        }
      />
      <SettingsNav />
      <ChainCheck />
      <AuditTools filter={filter} question={question} menu={menu} />
      {list.error === null ? null : (
        <div className="mb-3">
          <ErrorState
            title="The audit log could not be loaded"
            error={list.error}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        </div>
      )}
      {list.isPending ? <SkeletonRows rows={12} label="Loading entries" /> : null}
      {list.isSuccess && entries.length === 0 ? <Nothing isFiltered={isNarrowed(filter)} /> : null}
      {entries.length === 0 ? null : <Entries entries={entries} columns={columns} />}
      {list.hasNextPage ? (
        <div className="mt-3 flex justify-center">
          <Button isUnavailable={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Loading older entries …' : 'Older entries'}
          </Button>
        </div>
      ) : null}
    </>
  )
}
