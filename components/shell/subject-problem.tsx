'use client'

import Link from 'next/link'
import { EmptyState } from '@/components/ui/states'
import { isNotFound } from '@/lib/api/client'
import { type Loaded, LoadProblem } from './load-problem'

/** For a page about one object: it does not exist, with a link to the list, or it could not be loaded. */
export const SubjectProblem = ({
  query,
  subject,
  all,
  what,
}: {
  query: Loaded
  /** After "There is no such". */
  subject: string
  all: { href: string; label: string }
  /** The beginning of the message when it could not be loaded: "The host". */
  what: string
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
  return <LoadProblem query={query} what={what} />
}
