'use client'

import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useId, useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { Td, Tr } from '@/components/ui/table'
import type { AuditEntryDto } from '@/lib/schemas/api/audit'
import { classNames } from '@/lib/util/class-names'
import { actionWords, subjectPath } from './audit-words'

const asLines = (value: unknown): string =>
  value === null || value === undefined ? 'nothing' : JSON.stringify(value, null, 2)

const Side = ({ title, value }: { title: string; value: unknown }) => (
  <div className="min-w-0">
    <p className="font-[550] text-ink2 text-small">{title}</p>
    <pre className="whitespace-pre-wrap font-mono text-small wrap-anywhere">{asLines(value)}</pre>
  </div>
)

const Subject = ({ subject, cloud }: { subject: string; cloud: string | null }) => {
  const path = subjectPath(subject, cloud)
  return path === null ? (
    <span className="wrap-anywhere">{subject}</span>
  ) : (
    <Link href={path} className="text-accent-ink wrap-anywhere hover:underline">
      {subject}
    </Link>
  )
}

/** One entry; opened, what was before and after. */
export const AuditRow = ({ entry, cloud }: { entry: AuditEntryDto; cloud: string | null }) => {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Tr>
        <Td className="whitespace-nowrap">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`Entry ${entry.id}: before and after`}
            onClick={() => setIsOpen(!isOpen)}
            className="inline-flex items-baseline gap-1 rounded-tag text-ink3 tabular-nums hover:text-ink"
          >
            <ChevronRight
              size={13}
              aria-hidden
              className={classNames('self-center', isOpen && 'rotate-90')}
            />
            {entry.id}
          </button>
        </Td>
        <Td className="text-ink2">
          <Moment at={entry.at} />
        </Td>
        <Td className="min-w-32 wrap-anywhere">{entry.actor.replace(/^user:/, '')}</Td>
        <Td className="whitespace-nowrap">
          {actionWords(entry.action)} <span className="text-ink3 text-small">{entry.action}</span>
        </Td>
        <Td className="min-w-48">
          <Subject subject={entry.subject} cloud={cloud} />
        </Td>
      </Tr>
      {isOpen ? (
        <Tr id={id}>
          <Td colSpan={5} className="bg-bg">
            <div className="grid grid-cols-1 gap-3 py-1 sm:grid-cols-2">
              <Side title="Before" value={entry.before} />
              <Side title="After" value={entry.after} />
            </div>
            <p className="pb-1 text-ink3 text-small">
              Hash <code className="font-mono wrap-anywhere">{entry.hash}</code>
            </p>
          </Td>
        </Tr>
      ) : null}
    </>
  )
}
