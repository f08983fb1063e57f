/** oslo_utils/strutils.py TRUE_STRINGS, FALSE_STRINGS. */
const TRUE = new Set(['1', 't', 'true', 'on', 'y', 'yes'])
const FALSE = new Set(['0', 'f', 'false', 'off', 'n', 'no'])

const BLANK = String.raw`[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`
const BLANKS_AROUND = new RegExp(`^${BLANK}+|${BLANK}+$`, 'g')

/** Python's str.strip(): unlike trim() it takes separators such as U+001F and U+0085, and leaves U+FEFF. */
export const pythonStrip = (text: string): string => text.replaceAll(BLANKS_AROUND, '')

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

/** Python's int(text, 16): blanks around, a sign, `0x` and single underscores are fine; null: ValueError. */
export const pythonHex = (text: string): number | null => {
  const match = /^([+-]?)(?:0[xX]_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)$/.exec(pythonStrip(text))
  if (match === null) return null
  const number = Number.parseInt((match[2] ?? '').replaceAll('_', ''), 16)
  return match[1] === '-' ? -number : number
}

/** oslo.config's BoolOpt (types.py Boolean); null: nova does not start with the value. */
export const configBool = (value: string): boolean | null => {
  const text = value.trim().toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  return ['false', '0', 'no', 'off'].includes(text) ? false : null
}
