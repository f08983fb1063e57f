/** Seconds of a Retry-After header; dates are measured by our clock. Null if absent or invalid. */
export const parseRetryAfterSeconds = (header: string | undefined, now = Date.now()): number | null => {
  if (header === undefined) return null
  const text = header.trim()
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  const until = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1000))
}
