'use client'

import Link from 'next/link'
import { EmptyState } from '@/components/ui/states'
import { isNotFound } from '@/lib/api/client'
import { type Loaded, QueryProblem } from './load-problem'

/** Of a page about one thing: that there is no such thing, with the way to all of them, or why it could not be had. */
export const SubjectProblem = ({
  query,
  subject,
  all,
  title,
  titleOfOld = title,
}: {
  query: Loaded
  /** After "There is no such". */
  subject: string
  all: { href: string; label: string }
  /** What could not be had. */
  title: string
  /** The same while what was had before still stands. */
  titleOfOld?: string
}) => {
  const { error } = query
  if (error === null) return null
  if (isNotFound(error))
    return (
      <EmptyState
        title={`There is no such ${subject}`}
        action={
          <Link href={all.href} className="text-accent-ink underline">
            {all.label}
          </Link>
        }
      >
        {error.message}
      </EmptyState>
    )
  return <QueryProblem query={query} title={title} titleOfOld={titleOfOld} />
}
