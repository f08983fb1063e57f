const HOUR_MS = 3_600_000

/**
 * The time so many days ago, ISO 8601 UTC, rounded to the hour, so that the query key stays the same while a page is
 * open.
 */
export const sinceDays = (days: number): string =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS).toISOString()
