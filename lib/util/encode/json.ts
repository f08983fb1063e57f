import { type Encoded, trusted } from './encoded'
import { escapeUnsafe } from './visible'

const escapeCodePoint = (codePoint: number): string =>
  String.fromCodePoint(codePoint)
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/**
 * A value as JSON on one line, or indented. Control, format and separator characters within texts are escaped
 * (\u202e), so a parser reads the same value and a terminal shows no effect.
 */
export const jsonText = (value: unknown, indent = 0): Encoded<'json'> => {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return trusted(
    text
      .split('\n')
      .map((line) => escapeUnsafe(line, escapeCodePoint))
      .join('\n'),
  )
}

/** A value as one line of JSON Lines. */
export const jsonLine = (value: unknown): Encoded<'json'> => trusted(`${jsonText(value)}\n`)
