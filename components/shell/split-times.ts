const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

type TextPart = { text: string; isTime: boolean }

/** A server's sentence with the moments in it apart, and without the full stop that ends it. */
export const splitTimes = (sentence: string): TextPart[] => {
  const text = sentence.replace(/\.+$/, '')
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(ISO_TIME)) {
    parts.push({ text: text.slice(from, match.index), isTime: false }, { text: match[0], isTime: true })
    from = match.index + match[0].length
  }
  parts.push({ text: text.slice(from), isTime: false })
  return parts.filter((part) => part.text !== '')
}

/** A server's sentence with each of its moments in other words, and without the full stop that ends it. */
export const formatTimes = (sentence: string, format: (moment: string) => string): string =>
  splitTimes(sentence)
    .map(({ text, isTime }) => (isTime ? format(text) : text))
    .join('')
