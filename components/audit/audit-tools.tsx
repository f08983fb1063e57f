'use client'

import { Download } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { Input } from '@/components/ui/input'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { AuditQuestion } from '@/lib/api/audit'
import { AUDIT_SUBJECTS } from '@/lib/schemas/api/audit'
import { apiPaths } from '@/lib/util/paths'
import { type AuditFilter, auditSearchParams, isNarrowed, NO_FILTER } from './audit-search-params'
import { SUBJECT_WORDS } from './audit-words'

const FORMATS = [
  { format: 'csv', word: 'CSV', label: 'CSV of the entries that match' },
  { format: 'jsonl', word: 'JSON', label: 'JSON lines of the entries that match' },
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
export const AuditTools = ({
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
        label="Filter by who"
        placeholder="Who"
        value={filter.who}
        onChange={(who) => void setParams({ who: who || null })}
      />
      <FilterInput
        className="sm:w-[190px]"
        label="Filter by what it was done to"
        placeholder="Host, change, token …"
        value={filter.on}
        onChange={(on) => void setParams({ on: on || null })}
      />
      <ChoiceChip
        label="About"
        isMultiple
        choices={AUDIT_SUBJECTS.map((value) => ({ value, label: SUBJECT_WORDS[value] }))}
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
