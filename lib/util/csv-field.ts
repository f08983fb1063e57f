/** A spreadsheet runs text that begins like a formula; an apostrophe keeps it text (OWASP, CSV injection). */
const defuse = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)

/** One field by RFC 4180. Null is an empty field. */
export const csvField = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = defuse(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A moment as UTC with a Z, as ISO 8601 writes it: spreadsheets and scripts then know the zone. Null stays null. */
export const utcText = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Rows as CSV by RFC 4180, each with its end of line. */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('')
