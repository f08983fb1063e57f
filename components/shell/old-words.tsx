'use client'

import type { ReactNode } from 'react'
import { Moment } from './moment'
import { SilentTag } from './silent-tag'

/** Why nothing that needs a host's agent can be started now; null while it speaks. */
export const silentRefusal = ({ host, isSilent }: { host: string; isSilent: boolean }): string | null =>
  isSilent ? `The agent of ${host} is silent: start it, and plan again when it reports.` : null

/** What a host said before it fell silent: grey, under a line that says how old it is and what can't be done. */
export const OldWords = ({
  host,
  isSilent,
  seenAt,
  children,
}: {
  host: string
  isSilent: boolean
  seenAt: string | null
  children: ReactNode
}) => (
  <div className={isSilent ? 'old-words' : undefined}>
    {isSilent ? (
      <p role="note" className="mb-3 rounded-panel border border-line bg-panel px-3.5 py-2">
        <SilentTag seenAt={seenAt} /> What stands here is what the agent of {host} said
        {seenAt === null ? ' last' : null}
        {seenAt === null ? null : (
          <>
            {' '}
            at <Moment at={seenAt} />
          </>
        )}
        . Changes that need it can’t be planned until it reports again.
      </p>
    ) : null}
    {children}
  </div>
)
