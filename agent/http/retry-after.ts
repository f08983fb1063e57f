/** A longer wait than this is not accepted. */
const RETRY_AFTER_CAP_MS = 60 * 60 * 1000

type RetryAfterInput = {
  retryAfter: string | undefined
  /** The answer's own Date header: a date in Retry-After is measured by the server's clock, not by the host's. */
  date: string | undefined
  now: Date
}

/** Milliseconds that a Retry-After header requests, at most an hour; null when it is absent or makes no sense. */
export const parseRetryAfter = ({ retryAfter, date, now }: RetryAfterInput): number | null => {
  if (retryAfter === undefined) return null
  const text = retryAfter.trim()
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_CAP_MS)
  const until = parseHttpDate(text)
  if (until === null) return null
  const from = (date === undefined ? null : parseHttpDate(date)) ?? now.getTime()
  return Math.min(Math.max(0, until - from), RETRY_AFTER_CAP_MS)
}

const parseHttpDate = (text: string): number | null => {
  if (!/^[A-Za-z]{3}/.test(text)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}
