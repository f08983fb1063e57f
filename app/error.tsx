'use client'

import { PlainPage } from '@/components/shell/plain-page'

/**
 * Shown when a page fails on the server: the database is unavailable, or the account exceeded its rate limit. The browser gets no
 * reason; the log has it under the digest.
 */
const ErrorPage = ({ error: { digest } }: { error: Error & { digest?: string } }) => (
  <PlainPage title="This page could not be loaded">
    <p className="text-ink2">The database may be unavailable for a few seconds. Nothing was changed.</p>
    {digest === undefined ? null : (
      <p className="text-ink3 text-small">
        Log entry: <span className="font-mono">{digest}</span>
      </p>
    )}
    <button type="button" className="text-accent-ink underline" onClick={() => location.reload()}>
      Try again
    </button>
  </PlainPage>
)

export default ErrorPage
