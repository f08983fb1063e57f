'use client'

import type { ReactNode } from 'react'
import { Button } from './button'

/** First use, nothing, no match, not available here: four different texts, one form. */
export const EmptyState = ({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-1 rounded-panel border border-line border-dashed bg-panel px-6 py-10 text-center">
    <h2 className="m-0 font-semibold text-lead">{title}</h2>
    {children === undefined ? null : <div className="max-w-[58ch] text-ink2">{children}</div>}
    {action === undefined ? null : <div className="mt-3">{action}</div>}
  </div>
)

/** One panel failed; the others stand. `error` may carry the server's request id. */
export const ErrorState = ({
  title,
  error,
  words = error.message,
  onRetry,
  isRetrying = false,
}: {
  /** What could not be had: "The GPUs could not be loaded". */
  title: string
  error: Error & { requestId?: string | null }
  /** The rendered error message, if it differs from the plain text. */
  words?: ReactNode
  onRetry: () => void
  isRetrying?: boolean
}) => (
  <div
    role="alert"
    className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-bad bg-bad2 px-4 py-3"
  >
    <div className="min-w-0 flex-1 basis-72">
      <p className="font-semibold text-bad">{title}</p>
      <p className="break-words text-ink">{words}</p>
      {error.requestId ? (
        <p className="text-ink2 text-small">
          Request <span className="font-mono">{error.requestId}</span>
        </p>
      ) : null}
    </div>
    <Button onClick={onRetry} isUnavailable={isRetrying}>
      {isRetrying ? 'Trying' : 'Try again'}
    </Button>
  </div>
)
