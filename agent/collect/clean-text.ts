import { printableLine, printableLines, REPLACEMENT } from '@/lib/schemas/agent/printable'

/** Text of a host as it may leave the host: what cannot be shown or stored becomes U+FFFD. */
export const cleanText = printableLines

/** At most `length` UTF-16 units, never half a surrogate pair. */
export const truncate = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** One line that can be shown: no line feeds and tabs either. */
export const plainLine = (text: string, length: number): string =>
  truncate(cleanText(text).replace(/[\n\t]/g, REPLACEMENT), length)

/** The first line of a command's output, for use inside a sentence. */
export const firstLine = (text: string): string =>
  plainLine(text.trim().split('\n')[0] ?? '', 200).replace(/\.$/, '')

/** Lines of the contract: trimmed, bounded, null when nothing is left. */
export const lines = (text: string | null | undefined, length: number): string | null => {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : truncate(trimmed, length)
}

/** The same in one line, in the form of the contract, so that the console stores the text that was sent. */
export const fact = (text: string | null | undefined, length = 1024): string | null => {
  const trimmed = lines(text, length)
  return trimmed === null ? null : printableLine(trimmed)
}

/** A file or directory name that cannot be reported unchanged: control characters or bytes that are not UTF-8. */
export const isOddName = (name: string): boolean => !PLAIN_NAME.test(name) && isOdd(name)

const PLAIN_NAME = /^[\x20-\x7e]*$/

const isOdd = (name: string): boolean => name.includes(REPLACEMENT) || plainLine(name, name.length) !== name
