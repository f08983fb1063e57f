'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useDeferredValue } from 'react'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, TablePanel, Th } from '@/components/ui/table'
import { auditOptions } from '@/lib/api/audit'
import type { AuditEntryDto } from '@/lib/schemas/api/audit'
import { AuditRow } from './audit-row'
import { auditSearchParams, isNarrowed, questionOf } from './audit-search-params'
import { AuditTools } from './audit-tools'
import { ChainCheck } from './chain-check'

const Entries = ({ entries, cloud }: { entries: AuditEntryDto[]; cloud: string | null }) => (
  <TablePanel>
    <Table aria-label="Audit">
      <thead>
        <tr>
          <Th>No.</Th>
          <Th>Time</Th>
          <Th>Actor</Th>
          <Th>Action</Th>
          <Th>Subject</Th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} cloud={cloud} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)

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
      <AuditTools filter={filter} question={question} />
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
      {entries.length === 0 ? null : <Entries entries={entries} cloud={cloud} />}
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
