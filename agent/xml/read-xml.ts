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
const tagEnd = (xml: string, start: number): number => {
  TAG.lastIndex = start
  if (TAG.test(xml)) return TAG.lastIndex
  throw xml.includes('>', start)
    ? new XmlError('malformed', 'it has a "<" that begins no tag')
    : endsInTheMiddle()
}

const isClosing = (xml: string, start: number): boolean => xml.charCodeAt(start + 1) === SLASH

/** `<name/>`, by the end of the tag. */
const isEmpty = (xml: string, end: number): boolean => xml.charCodeAt(end - 2) === SLASH

const tagName = (xml: string, start: number): string => {
  NAME_HERE.lastIndex = start + (isClosing(xml, start) ? 2 : 1)
  return NAME_HERE.exec(xml)?.[0] ?? ''
}

const endOf = (xml: string, mark: string, from: number): number => {
  const end = xml.indexOf(mark, from)
  if (end < 0) throw endsInTheMiddle()
  return end + mark.length
}

/** What a `<` begins that is no tag: its end, and where its characters are when it is a CDATA section. */
type Special = { end: number; text: [from: number, to: number] | null }

/** A comment, CDATA section or processing instruction at `start`; null for a tag. */
const specialAt = (xml: string, start: number): Special | null => {
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
const skipElement = (xml: string, from: number, name: string, depth: number): number => {
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

/**
 * A strict reader for the XML that libvirt writes. Measured on the live XML of 128 guests (3 MB), as a full host has them,
 * in a new process: fast-xml-parser takes 330 ms of CPU and 160 ms more to check that it is well-formed, this one 77 ms
 * with everything kept, and a whole scan has a budget of 150 ms. Its tests hold it against that library.
 */
export type XmlElement = {
  /** With its prefix. */
  name: string
  /** As written and already checked; `attributeOf` reads them, since most are never read. */
  attributes: string
  children: XmlElement[]
  /** Own text, entities decoded. */
  text: string
}

const ATTRIBUTES = /([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

const NO_CHILDREN: XmlElement[] = []

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decodeEntity = (whole: string, name: string): string => {
  if (name.startsWith('#')) {
    const point = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    if (Number.isInteger(point) && point > 0 && point <= 0x10ffff) return String.fromCodePoint(point)
    throw new XmlError('malformed', `${whole} is no character`)
  }
  const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
  if (character === undefined) throw new XmlError('refused', 'it declares an entity')
  return character
}

const decode = (text: string): string => {
  if (!text.includes('&')) return text
  if (/&(?!#?\w{1,16};)/.test(text)) throw new XmlError('malformed', 'it has a bare "&"')
  return text.replace(/&(#?\w{1,16});/g, decodeEntity)
}

/** All attributes by name. */
export const attributesOf = (element: XmlElement): Map<string, string> => {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single] of element.attributes.matchAll(ATTRIBUTES)) {
    if (attributes.has(name))
      throw new XmlError('malformed', `<${element.name}> has two attributes "${name}"`)
    attributes.set(name, decode(double ?? single ?? ''))
  }
  return attributes
}

export const attributeOf = (element: XmlElement | undefined, name: string): string | null =>
  element === undefined || element.attributes === '' ? null : (attributesOf(element).get(name) ?? null)

const isBlank = (xml: string, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (xml.charCodeAt(at) > 32) return false
  return true
}

/** Decides which elements are wanted, by their parent element. What is not wanted is only checked. */
export type Wanted = (name: string, parent: XmlElement) => boolean

const everything: Wanted = () => true

const createBuilder = (xml: string, isWanted: Wanted) => {
  const open: XmlElement[] = []
  let root: XmlElement | null = null

  const close = (name: string): void => {
    if (open.pop()?.name !== name) throw closesNothing(name)
  }

  const attach = (element: XmlElement, parent: XmlElement | null): void => {
    if (parent === null) root = element
    else if (parent.children === NO_CHILDREN) parent.children = [element]
    else parent.children.push(element)
  }

  /** Behind the tag, or behind the whole element when it is not wanted. */
  const start = (name: string, from: number, end: number): number => {
    const parent = open.at(-1) ?? null
    if (root !== null && parent === null) throw new XmlError('malformed', 'it has two root elements')
    const isAlone = isEmpty(xml, end)
    if (parent !== null && !isWanted(name, parent))
      return isAlone ? end : skipElement(xml, end, name, open.length)
    const attributes = xml.slice(from + 1 + name.length, end - (isAlone ? 2 : 1)).trim()
    const element: XmlElement = { name, attributes, children: NO_CHILDREN, text: '' }
    attach(element, parent)
    if (!isAlone && open.push(element) > MAX_DEPTH) throw tooDeep()
    return end
  }

  return {
    tag: (from: number): number => {
      const end = tagEnd(xml, from)
      const name = tagName(xml, from)
      if (!isClosing(xml, from)) return start(name, from, end)
      close(name)
      return end
    },
    text: (text: string): void => {
      const parent = open.at(-1)
      if (parent === undefined) throw new XmlError('malformed', 'it has text outside its root element')
      parent.text += text
    },
    end: (): XmlElement => {
      if (open.length > 0) throw endsInTheMiddle()
      if (root === null) throw new XmlError('malformed', 'it is empty')
      return root
    },
  }
}

/** Reads one document, or of it what is wanted, the root always; throws `XmlError`. The caller bounds its size. */
export const readXml = (xml: string, isWanted: Wanted = everything): XmlElement => {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new XmlError('refused', 'it declares a document type')
  const builder = createBuilder(xml, isWanted)
  let at = 0
  while (at < xml.length) {
    const next = xml.indexOf('<', at)
    const textEnd = next < 0 ? xml.length : next
    if (!isBlank(xml, at, textEnd)) builder.text(decode(xml.slice(at, textEnd)))
    if (next < 0) break
    const special = specialAt(xml, next)
    if (special?.text) builder.text(xml.slice(...special.text))
    at = special?.end ?? builder.tag(next)
  }
  return builder.end()
}

/** Name without its prefix. */
export const localName = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1)

export const childrenNamed = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childNamed = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)
