/** Escapes of NUL and of surrogates, a pair of which may be one character. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i
/** PostgreSQL stores neither in JSON: `\p{Cs}` matches only surrogates without a partner. */
const UNSTORABLE = /[\0\p{Cs}]/gu

const cleanText = (text: string): string => text.replace(UNSTORABLE, '\ufffd')

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), clean(item)]))
}

/**
 * The value of an answer's JSON. NUL and surrogates without a partner become U+FFFD: a single name with one of them would
 * otherwise keep the database from storing everything that was read with it.
 */
export const parseJson = (text: string): unknown => {
  const value = JSON.parse(text) as unknown
  return SUSPICIOUS.test(text) ? clean(value) : value
}
