/** The service answered, but its list lacks entries: it is not older than its error. */
export const isIncomplete = ({
  at,
  error,
  failingSince,
}: {
  at: string | null
  error: string | null
  failingSince: string | null
}): boolean =>
  error !== null && at !== null && failingSince !== null && Date.parse(at) >= Date.parse(failingSince)
