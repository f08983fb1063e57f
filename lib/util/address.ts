/** Colons are legal in a path segment and make PCI addresses readable, so they stay. */
export const segment = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':')

export const withQuery = (path: string, params: Record<string, string | null | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** As `withQuery`, for questions about a group: the group of unknown ones, such as servers without a flavor, has an empty key. */
export const withQuestion = (path: string, params: Record<string, string | null | undefined>): string => {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
