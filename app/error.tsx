'use client'

import { PlainPage } from '@/components/shell/plain-page'

/**
 * In place of a page that could not be made. Why, the browser is not told: the database may be away, or the account asked more
 * often than it may; the log has it under the number.
 */
const ErrorPage = ({ error: { digest } }: { error: Error & { digest?: string } }) => (
  <PlainPage title="This page could not be made">
    <p className="text-ink2">
      The console’s database may be away, or you asked for very much just now. Nothing was changed. Wait some
      seconds and try again.
    </p>
    {digest === undefined ? null : (
      <p className="text-ink3 text-small">
        In the console’s log: <span className="font-mono">{digest}</span>
      </p>
    )}
    <button type="button" className="text-accent-ink underline" onClick={() => location.reload()}>
      Try again
    </button>
  </PlainPage>
)

export default ErrorPage
