'use client'

import type { ReactNode } from 'react'
import { Moment } from './moment'
import { SilentTag } from './silent-tag'

/** Why no action that needs a host's agent is possible now; null while the agent reports. */
export const silentRefusal = ({ host, isSilent }: { host: string; isSilent: boolean }): string | null =>
  isSilent ? `The agent of ${host} is silent. Start it, and plan again when it reports.` : null

/** The last report of a silent host: grey, with a line above that shows its age and the unavailable actions. */
export const OldReport = ({
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
        <SilentTag seenAt={seenAt} /> This page shows the last data that the agent of {host} reported
        {seenAt === null ? null : (
          <>
            {' '}
            at <Moment at={seenAt} />
          </>
        )}
        . You cannot plan changes that need this data until the agent reports again.
      </p>
    ) : null}
    {children}
  </div>
)
