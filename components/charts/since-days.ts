const HOUR_MS = 3_600_000

/** So many days ago, ISO 8601 UTC; from the begin of an hour, so that the question stays the same while a page is looked at. */
export const sinceDays = (days: number): string =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS).toISOString()
