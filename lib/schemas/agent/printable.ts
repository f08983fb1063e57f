/** In place of what cannot be shown. */
export const REPLACEMENT = '\ufffd'

/**
 * Control characters but tab and line feed, halves of surrogate pairs (which PostgreSQL refuses in JSON), line separators, and the
 * marks that change the reading direction.
 */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** A text that a page, a log and a terminal can show: each character that can't be shown becomes U+FFFD. */
export const printableLines = (text: string): string => text.replace(UNPRINTABLE, REPLACEMENT)

/** The same in one line. */
export const printableLine = (text: string): string => printableLines(text).replaceAll('\n', REPLACEMENT)
