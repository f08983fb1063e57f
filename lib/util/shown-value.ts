const MAX_SHOWN = 80

/** A text with the code point in place of each character that cannot be shown, as \u{a} for a line feed. */
export const visibleText = (text: string): string =>
  text.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** A value as a sentence may hold it: one line, bounded, in quotes that it does not have itself. */
export const shownValue = (value: string): string => {
  const characters = [...value.slice(0, 2 * MAX_SHOWN)]
  const cut = characters.slice(0, MAX_SHOWN).join('')
  return `"${visibleText(cut).replaceAll('"', "'")}${cut.length < value.length ? '…' : ''}"`
}
