/** Highest compute microversion of each release, newest first (nova rest_api_version_history). */
const RELEASES: readonly (readonly [minor: number, release: number])[] = [
  [103, 33],
  [100, 31],
  [96, 29],
  [95, 27],
  [93, 26],
  [90, 24],
  [88, 23],
  [87, 21],
]

/** The oldest Nova (24 is Xena) that offers a microversion such as `2.96`; null when it is unknown or older than Ussuri. */
export const releaseOfMicroversion = (version: string | null): number | null => {
  const minor = Number(/^2\.(\d{1,4})$/.exec(version ?? '')?.[1] ?? Number.NaN)
  return RELEASES.find(([most]) => minor >= most)?.[1] ?? null
}
