import { pythonStrip } from '@/lib/util/python-strip'

/** oslo_utils/strutils.py TRUE_STRINGS, FALSE_STRINGS. */
const TRUE = new Set(['1', 't', 'true', 'on', 'y', 'yes'])
const FALSE = new Set(['0', 'f', 'false', 'off', 'n', 'no'])

/** Whether Python counts a JSON value as false, as `if not value` does. */
export const isFalsy = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** oslo.utils bool_from_string(strict=True) of a JSON value; null: it raises ValueError. */
export const strictBool = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value
  const text = pythonStrip(typeof value === 'string' ? value : String(JSON.stringify(value))).toLowerCase()
  if (TRUE.has(text)) return true
  return FALSE.has(text) ? false : null
}

/** Unlike str.strip(), int() does not accept separators such as U+001E around a number. */
const NUMBER_BLANKS = /^(?:(?!\ufeff)\s|\x85)+|(?:(?!\ufeff)\s|\x85)+$/g
const stripNumber = (text: string): string => text.replace(NUMBER_BLANKS, '')

/** Python's int(text, 16): blanks around, a sign, `0x` and single underscores are fine; null: ValueError. */
export const pythonHex = (text: string): number | null => {
  if (/^[0-9a-f]+$/.test(text)) return Number.parseInt(text, 16)
  const match = /^([+-]?)(?:0[xX]_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)$/.exec(stripNumber(text))
  if (match === null) return null
  const number = Number.parseInt((match[2] ?? '').replaceAll('_', ''), 16)
  return match[1] === '-' ? -number : number
}

/** Python's int(text): blanks around, a sign and single underscores are accepted; null: ValueError. */
export const pythonInt = (text: string): number | null => {
  const stripped = stripNumber(text)
  return /^[+-]?\d+(_\d+)*$/.test(stripped) ? Number(stripped.replaceAll('_', '')) + 0 : null
}

/** oslo.config's BoolOpt (types.py Boolean); null: nova does not start with the value. */
export const configBool = (value: string): boolean | null => {
  const text = value.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  return ['false', '0', 'no', 'off'].includes(text) ? false : null
}
