/** Places between the characters of a text, as bits; a pattern leads from some of them to others. */
type Lead = (text: string, from: number) => number

/** How a pattern is read: the rest of it, from `at`. */
type Reader = { pattern: string; at: number }

/** Texts of at most this length have a bit for each position. */
const LONGEST_TEXT = 24
const MAX_TIMES = LONGEST_TEXT + 1

class NotReadable extends Error {}

const all = (text: string): number => 2 ** (text.length + 1) - 1

const oneOf =
  (isIt: (char: string) => boolean): Lead =>
  (text, from) => {
    let to = 0
    for (let index = 0; index < text.length; index += 1)
      if ((from & (1 << index)) !== 0 && isIt(text[index] ?? '')) to |= 1 << (index + 1)
    return to
  }

const CLASSES: Record<string, RegExp> = { d: /[0-9]/, w: /[0-9A-Za-z_]/, s: /\s/ }

/** The meaning of a backslash sequence, inside and outside of brackets. */
const readEscape = (reader: Reader): ((char: string) => boolean) => {
  const escaped = reader.pattern[reader.at++] ?? ''
  const known = CLASSES[escaped.toLowerCase()]
  if (known !== undefined) return (char) => known.test(char) === (escaped === escaped.toLowerCase())
  if (escaped === '' || /[0-9A-Za-z]/.test(escaped)) throw new NotReadable()
  return (char) => char === escaped
}

const readBrackets = (reader: Reader): Lead => {
  const { pattern } = reader
  const isNot = pattern[reader.at] === '^'
  if (isNot) reader.at += 1
  const tests: ((char: string) => boolean)[] = []
  for (let isFirst = true; isFirst || pattern[reader.at] !== ']'; isFirst = false) {
    const begin = pattern[reader.at++]
    if (begin === undefined) throw new NotReadable()
    const end = pattern[reader.at + 1]
    if (begin === '\\') tests.push(readEscape(reader))
    else if (pattern[reader.at] === '-' && end !== undefined && end !== ']') {
      if (end === '\\' || end < begin) throw new NotReadable()
      tests.push((char) => begin <= char && char <= end)
      reader.at += 2
    } else tests.push((char) => char === begin)
  }
  reader.at += 1
  return oneOf((char) => tests.some((isIt) => isIt(char)) !== isNot)
}

const readGroup = (reader: Reader): Lead => {
  if (reader.pattern.startsWith('?:', reader.at)) reader.at += 2
  else if (reader.pattern[reader.at] === '?') throw new NotReadable()
  const inner = readChoice(reader)
  if (reader.pattern[reader.at++] !== ')') throw new NotReadable()
  return inner
}

const readAtom = (reader: Reader): Lead => {
  const char = reader.pattern[reader.at++] ?? ''
  if (char === '.') return oneOf((one) => one !== '\n')
  if (char === '^') return (_text, from) => from & 1
  if (char === '$') return (text, from) => from & (1 << text.length)
  if (char === '(') return readGroup(reader)
  if (char === '[') return readBrackets(reader)
  if (char === '\\') return oneOf(readEscape(reader))
  if (/[*+?{}\])|]/.test(char)) throw new NotReadable()
  return oneOf((one) => one === char)
}

/** Asks once for each place of a text: what repeats within what repeats would ask a number of times that multiplies. */
const remembered = (lead: Lead): Lead => {
  let known: { text: string; leads: (number | undefined)[] } = { text: '', leads: [] }
  return (text, from) => {
    if (known.text !== text) known = { text, leads: [] }
    let to = 0
    for (let index = 0; index <= text.length; index += 1) {
      if ((from & (1 << index)) === 0) continue
      const reached = known.leads[index] ?? lead(text, 1 << index)
      known.leads[index] = reached
      to |= reached
    }
    return to
  }
}

/**
 * `min` times and up to `max`. Positions only increase, so as many turns as there are positions reach all that more turns
 * reach: a number in braces costs no more than the text is long.
 */
const repeated =
  (inner: Lead, min: number, max: number): Lead =>
  (text, from) => {
    let to = from
    for (let turn = 0; turn < Math.min(min, MAX_TIMES); turn += 1) to = inner(text, to)
    for (let turn = min; turn < Math.min(max, min + MAX_TIMES); turn += 1) to |= inner(text, to)
    return to
  }

const TIMES: Record<string, [number, number]> = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }

const readTimes = (reader: Reader): [number, number] | null => {
  const { pattern } = reader
  const sign = TIMES[pattern[reader.at] ?? '']
  if (sign !== undefined) {
    reader.at += 1
    return sign
  }
  const braces = /^\{(\d{1,6})(,?)(\d{0,6})\}/.exec(pattern.slice(reader.at))
  if (braces === null) return null
  const [whole, min = '', comma, max = ''] = braces
  reader.at += whole.length
  if (comma === '') return [Number(min), Number(min)]
  return [Number(min), max === '' ? Infinity : Number(max)]
}

const readRepeated = (reader: Reader): Lead => {
  const inner = readAtom(reader)
  const times = readTimes(reader)
  if (times === null) return inner
  // Whether it takes as much or as little as it can changes nothing of what it can reach.
  if (reader.pattern[reader.at] === '?') reader.at += 1
  if (times[1] < times[0] || readTimes(reader) !== null) throw new NotReadable()
  return repeated(remembered(inner), ...times)
}

const readSequence = (reader: Reader): Lead => {
  const parts: Lead[] = []
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? ''))
    parts.push(readRepeated(reader))
  return (text, from) => parts.reduce((index, lead) => lead(text, index), from)
}

const readChoice = (reader: Reader): Lead => {
  const choices = [readSequence(reader)]
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    choices.push(readSequence(reader))
  }
  return (text, from) => choices.reduce((to, lead) => to | lead(text, from), 0)
}

/**
 * Compiles a regular expression from an untrusted source, for texts of at most 24 characters, matched at their beginning
 * (Python's `re.match`). The time is proportional to pattern and text, for any pattern. Null: the pattern is invalid, or
 * uses constructs without a purpose in a PCI address (lookahead, backreferences).
 */
export const readShortPattern = (pattern: string): ((text: string) => boolean) | null => {
  const reader: Reader = { pattern, at: 0 }
  try {
    const lead = readChoice(reader)
    if (reader.at < pattern.length) return null
    return (text) => text.length <= LONGEST_TEXT && (lead(text, 1) & all(text)) !== 0
  } catch (error) {
    if (error instanceof NotReadable) return null
    throw error
  }
}
