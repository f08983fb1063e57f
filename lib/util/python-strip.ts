const BLANK = String.raw`[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`
const LEADING = new RegExp(`^${BLANK}+`)
const FIRST = new RegExp(`^${BLANK}`)

/** Python's str.rstrip(): unlike trimEnd() it removes separators such as U+001F and U+0085, and keeps U+FEFF. */
export const pythonTrimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && FIRST.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/** Python's str.lstrip(). */
export const pythonTrimStart = (text: string): string => text.replace(LEADING, '')

/** Python's str.strip(). */
export const pythonStrip = (text: string): string => pythonTrimStart(pythonTrimEnd(text))
