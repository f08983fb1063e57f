import { type Encoded, trusted } from './encoded'
import { visible } from './visible'

/**
 * Where a spreadsheet would start a cell: at the field's start, and after each separator that another locale splits by. Such
 * a locale does not see this file's quotes; a comma stays within them. The sign may follow blanks and quotes, and may be
 * fullwidth (OWASP, CSV injection).
 */
const FORMULA = /(^|[;|])(?=["\s]*[=+\-@＝＋－＠﹦﹢﹣﹫])/g

const quoteField = (text: string): string =>
  /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * One field by RFC 4180. Null is an empty field, and a number stays a number. A text gets an apostrophe wherever a
 * spreadsheet would read a formula. Control, format and separator characters, tabs and line ends included, are replaced by
 * their code points.
 */
export const csvField = (value: string | number | null): Encoded<'csv'> => {
  if (value === null) return trusted('')
  if (typeof value === 'number') return trusted(String(value))
  return trusted(quoteField(visible(value).replace(FORMULA, "$1'")))
}

/** Rows as CSV by RFC 4180, each with its end of line. */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): Encoded<'csv'> =>
  trusted(rows.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join(''))
