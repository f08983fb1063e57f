/** A query without the filters that are not given. */
export const toQuery = (filters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
