type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  )
}

/** JSON with sorted keys and without spaces: the same text for the same value, however it was stored in between. */
export const canonicalJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text === undefined ? 'null' : JSON.stringify(sorted(JSON.parse(text) as Json))
}
