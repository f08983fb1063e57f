'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { useColumns } from '@/components/table/use-columns'
import { Button, buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { Input } from '@/components/ui/input'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { type AuditQuestion, auditChainOptions, auditOptions } from '@/lib/api/audit'
import type { AuditEntryDto } from '@/lib/schemas/api/audit'
import { AUDIT_SUBJECTS } from '@/lib/schemas/choices'
import { formatNoun } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { AUDIT_COLUMNS } from './audit-columns'
import { SUBJECT_LABELS } from './audit-labels'
import { type AuditFilter, auditSearchParams, isNarrowed, NO_FILTER, questionOf } from './audit-search-params'

const FORMATS = [
  { format: 'csv', word: 'CSV', label: 'CSV of the matching entries' },
  { format: 'jsonl', word: 'JSON', label: 'JSON Lines of the matching entries' },
] as const

const Day = ({
  id,
  label,
  value,
  onChange,
}: {
  id: string
  label: string
  value: string | null
  onChange: (day: string | null) => void
}) => (
  <span className="inline-flex items-center gap-1.5">
    <label htmlFor={id} className="text-ink2">
      {label}
    </label>
    <Input
      id={id}
      type="date"
      className="w-[136px]"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
    />
  </span>
)

/** Who, what, on what and when; and the same entries as a file. */
const AuditTools = ({
  filter,
  question,
  menu,
}: {
  filter: AuditFilter
  question: AuditQuestion
  menu: ReactNode
}) => {
  const [, setParams] = useQueryStates(auditSearchParams, {
    limitUrlUpdates: { method: 'debounce', timeMs: 250 },
  })
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[150px]"
        label="Filter by actor"
        placeholder="Actor"
        value={filter.who}
        onChange={(who) => void setParams({ who: who || null })}
      />
      <FilterInput
        className="sm:w-[190px]"
        label="Filter by subject"
        placeholder="Host, change, token …"
        value={filter.on}
        onChange={(on) => void setParams({ on: on || null })}
      />
      <ChoiceChip
        label="Subject type"
        isMultiple
        choices={AUDIT_SUBJECTS.map((value) => ({ value, label: SUBJECT_LABELS[value] }))}
        chosen={filter.what === null ? [] : [filter.what]}
        onChoose={(chosen) =>
          void setParams({ what: AUDIT_SUBJECTS.find((subject) => subject === chosen.at(-1)) ?? null })
        }
      />
      <Day id="audit-from" label="From" value={filter.from} onChange={(from) => void setParams({ from })} />
      <Day
        id="audit-until"
        label="until"
        value={filter.until}
        onChange={(until) => void setParams({ until })}
      />
      {isNarrowed(filter) ? <ClearButton onClear={() => void setParams(NO_FILTER)} /> : null}
      <span className="flex-1" />
      {menu}
      {FORMATS.map(({ format, word, label }) => (
        <a
          key={format}
          href={apiPaths.auditExport({ ...question, format })}
          download
          aria-label={label}
          className={buttonStyle()}
        >
          <Download size={13} aria-hidden className="text-ink3" /> {word}
        </a>
      ))}
    </Toolbar>
  )
}

/** Proves the chain while one watches; `npm run audit:verify` does the same. */
const ChainCheck = () => {
  const { data, error, isFetching, refetch } = useQuery(auditChainOptions())
  const isBroken = data?.broken !== undefined && data.broken !== null
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
      <Button isUnavailable={isFetching} onClick={() => void refetch()}>
        {isFetching ? 'Verifying …' : 'Verify hash chain'}
      </Button>
      <p role="status" className={isBroken || error !== null ? 'text-bad' : 'text-ink2'}>
        {error !== null ? error.message : null}
        {error === null && data === undefined
          ? 'Each entry contains the hash of the previous entry. Changed or removed entries are detected.'
          : null}
        {error === null && data !== undefined && data.broken !== null
          ? `Broken at entry ${data.broken.id}: ${data.broken.reason}. The first ${formatNoun(data.entries, 'entry is', 'entries are')} valid.`
          : null}
        {error === null && data !== undefined && data.broken === null ? (
          <>
            The chain is valid: {formatNoun(data.entries, 'entry', 'entries')} of all clouds. The last hash is{' '}
            <code className="font-mono text-small wrap-anywhere">{data.head.slice(0, 16)}</code>. Verified{' '}
            <Moment at={data.checkedAt} />
          </>
        ) : null}
      </p>
    </div>
  )
}

const asLines = (value: unknown): string =>
  value === null || value === undefined ? 'nothing' : JSON.stringify(value, null, 2)

const Side = ({ title, value }: { title: string; value: unknown }) => (
  <div className="min-w-0">
    <p className="font-[550] text-ink2 text-small">{title}</p>
    <pre className="whitespace-pre-wrap font-mono text-small wrap-anywhere">{asLines(value)}</pre>
  </div>
)

/** What an entry changed. */
const AuditDetail = ({ before, after, hash }: AuditEntryDto) => (
  <>
    <div className="grid grid-cols-1 gap-3 py-1 sm:grid-cols-2">
      <Side title="Before" value={before} />
      <Side title="After" value={after} />
    </div>
    <p className="pb-1 text-ink3 text-small">
      Hash <code className="font-mono wrap-anywhere">{hash}</code>
    </p>
  </>
)

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
