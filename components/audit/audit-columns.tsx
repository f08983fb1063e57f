import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import type { Column } from '@/components/table/column'
import type { AuditEntryDto } from '@/lib/schemas/api/audit'
import { classNames } from '@/lib/util/class-names'
import { actionLabel, subjectPath } from './audit-labels'

type Context = {
  cloud: string | null
  isOpen: (id: number) => boolean
  onToggle: (id: number) => void
}

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

/** Entries of the audit. The CSV is written by the server, since it has all entries. */
export const AUDIT_COLUMNS: readonly Column<AuditEntryDto, Context>[] = [
  {
    id: 'id',
    header: 'No.',
    isFixed: true,
    className: 'whitespace-nowrap',
    cell: ({ id }, { isOpen, onToggle }) => (
      <button
        type="button"
        aria-expanded={isOpen(id)}
        aria-controls={`detail-${id}`}
        aria-label={`Entry ${id}: before and after`}
        onClick={() => onToggle(id)}
        className="inline-flex items-baseline gap-1 rounded-tag text-ink3 tabular-nums hover:text-ink"
      >
        <ChevronRight
          size={13}
          aria-hidden
          className={classNames('self-center', isOpen(id) && 'rotate-90')}
        />
        {id}
      </button>
    ),
  },
  { id: 'at', header: 'Time', className: 'text-ink2', cell: ({ at }) => <Moment at={at} /> },
  {
    id: 'actor',
    header: 'Actor',
    className: 'min-w-32 wrap-anywhere',
    cell: ({ actor }) => actor.replace(/^user:/, ''),
  },
  {
    id: 'action',
    header: 'Action',
    className: 'whitespace-nowrap',
    cell: ({ action }) => (
      <>
        {actionLabel(action)} <span className="text-ink3 text-small">{action}</span>
      </>
    ),
  },
  {
    id: 'subject',
    header: 'Subject',
    className: 'min-w-48',
    cell: ({ subject }, { cloud }) => <Subject subject={subject} cloud={cloud} />,
  },
]
