import { closesNothing, endsInTheMiddle, MAX_DEPTH, tooDeep, XmlError } from './xml-error'

const NAME = '[A-Za-z_:][\\w:.-]*'
const ATTRIBUTE = `${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`

/** A whole tag. Only its end is read, so that no text is copied for tags that are not wanted. */
const TAG = new RegExp(`<(?:/${NAME}\\s*|${NAME}(?:\\s+${ATTRIBUTE})*\\s*/?)>`, 'y')
/** Empty elements one after the other, such as the hundreds of `<flag name='…'/>` of QEMU's capabilities, in one go. */
const EMPTY_ELEMENTS = new RegExp(`(?:[^<]*<${NAME}(?:\\s+${ATTRIBUTE})*\\s*/>){0,500}`, 'y')
const NAME_HERE = new RegExp(NAME, 'y')

const SLASH = 47
const EXCLAMATION = 33
const QUESTION = 63

/** Behind the well-formed tag that begins with the `<` at `start`. */
export const tagEnd = (xml: string, start: number): number => {
  TAG.lastIndex = start
  if (TAG.test(xml)) return TAG.lastIndex
  throw xml.includes('>', start)
    ? new XmlError('malformed', 'it has a "<" that begins no tag')
    : endsInTheMiddle()
}

export const isClosing = (xml: string, start: number): boolean => xml.charCodeAt(start + 1) === SLASH

/** `<name/>`, by the end of the tag. */
export const isEmpty = (xml: string, end: number): boolean => xml.charCodeAt(end - 2) === SLASH

export const tagName = (xml: string, start: number): string => {
  NAME_HERE.lastIndex = start + (isClosing(xml, start) ? 2 : 1)
  return NAME_HERE.exec(xml)?.[0] ?? ''
}

const endOf = (xml: string, mark: string, from: number): number => {
  const end = xml.indexOf(mark, from)
  if (end < 0) throw endsInTheMiddle()
  return end + mark.length
}

/** What a `<` begins that is no tag: its end, and where its characters are when it is a CDATA section. */
export type Special = { end: number; text: [from: number, to: number] | null }

/** A comment, CDATA section or processing instruction at `start`; null for a tag. */
export const specialAt = (xml: string, start: number): Special | null => {
  const mark = xml.charCodeAt(start + 1)
  if (mark === QUESTION) return { end: endOf(xml, '?>', start + 2), text: null }
  if (mark !== EXCLAMATION) return null
  if (xml.startsWith('<!--', start)) return { end: endOf(xml, '-->', start + 4), text: null }
  if (!xml.startsWith('<![CDATA[', start)) return null
  const end = endOf(xml, ']]>', start + 9)
  return { end, text: [start + 9, end - 3] }
}

/**
 * Behind the closing tag of the element `name` whose opening tag ends at `from`. What lies between is checked and nothing
 * of it is kept: nine tenths of a guest's XML go this way.
 */
export const skipElement = (xml: string, from: number, name: string, depth: number): number => {
  const open = [name]
  let at = from
  while (open.length > 0) {
    EMPTY_ELEMENTS.lastIndex = at
    if (EMPTY_ELEMENTS.test(xml)) at = EMPTY_ELEMENTS.lastIndex
    const start = xml.indexOf('<', at)
    if (start < 0) throw endsInTheMiddle()
    const special = specialAt(xml, start)
    at = special?.end ?? tagEnd(xml, start)
    if (special !== null) continue
    if (isClosing(xml, start)) {
      const closed = tagName(xml, start)
      if (open.pop() !== closed) throw closesNothing(closed)
    } else if (!isEmpty(xml, at) && open.push(tagName(xml, start)) + depth > MAX_DEPTH) throw tooDeep()
  }
  return at
}
