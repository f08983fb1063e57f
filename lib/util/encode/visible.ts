/**
 * Control characters (C0, DEL, C1), format characters (bidi overrides and isolates, zero-width characters, tags), line and
 * paragraph separators, and surrogates without their partner.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Most texts need no check of their characters' classes. */
const ASCII = /^[\x20-\x7e]*$/
const UNSAFE_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A character by its code point, such as ⟨U+001B⟩. */
export const codePointText = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/** Each control, format and separator character of a text is replaced by its code point, such as ⟨U+001B⟩. */
export const visible = (text: string): string =>
  ASCII.test(text) ? text : text.replace(UNSAFE, codePointText)

/** The same for a text of several lines: line feeds stay. */
export const visibleLines = (text: string): string => text.replace(UNSAFE_IN_LINES, codePointText)

/** Replaces each of the unsafe characters by an escape of the language. Surrogates without a partner become ⟨U+D800⟩. */
export const escapeUnsafe = (text: string, toEscape: (codePoint: number) => string): string =>
  text.replace(UNSAFE, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return codePoint >= 0xd800 && codePoint <= 0xdfff ? codePointText(character) : toEscape(codePoint)
  })

/** `{{`, `{%` and `{#` start an expression of Jinja or of Go templates in every deployment tool; the second character is replaced. */
export const withoutTemplates = (text: string): string =>
  text.replace(/\{(?=([{%#]))[{%#]/g, (pair) => `{${codePointText(pair.slice(1))}`)
