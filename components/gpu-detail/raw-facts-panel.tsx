'use client'

import { useState } from 'react'
import { CopyButton } from '@/components/ui/copyable'
import { Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import type { GpuDetail } from '@/lib/schemas/api/gpu'

/** The raw values and their files, so that all of the page can be checked on the host. */
export const RawFactsPanel = ({ facts }: { facts: GpuDetail['rawFacts'] }) => {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = facts.filter(({ label, value, source }) =>
    `${label} ${value} ${source}`.toLowerCase().includes(wanted),
  )
  return (
    <Panel
      title="Raw facts"
      note={wanted === '' ? String(facts.length) : `${shown.length} of ${facts.length}`}
      actions={
        <Input
          type="search"
          aria-label="Filter raw facts"
          placeholder="Filter by word or file"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="w-52"
        />
      }
    >
      {shown.length === 0 ? (
        <p className="text-ink2">{facts.length === 0 ? 'None.' : `No fact contains "${wanted}".`}</p>
      ) : (
        <dl className="flex max-h-[480px] flex-col overflow-y-auto print:max-h-none">
          {shown.map(({ label, value, source }, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two facts may be alike in everything
              key={`${source} ${label} ${index}`}
              className="grid grid-cols-1 gap-x-4 border-line2 border-b py-1 last:border-b-0 md:grid-cols-[190px_minmax(0,1fr)]"
            >
              <dt className="text-ink2">{label}</dt>
              <dd className="min-w-0">
                <span className="whitespace-pre-wrap break-words font-mono text-small">
                  {value === '' ? '(empty)' : value}
                </span>
                <span className="flex items-center break-all font-mono text-ink3 text-tiny">
                  {source}
                  <CopyButton text={source} label={`Copy the path of ${label}`} />
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
