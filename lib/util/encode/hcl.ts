import { type Encoded, tagFor, trusted } from './encoded'
import { escapeUnsafe, visible } from './visible'

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' }

const escapeCodePoint = (codePoint: number): string =>
  SHORT[codePoint] ??
  (codePoint > 0xffff
    ? `\\U${codePoint.toString(16).padStart(8, '0')}`
    : `\\u${codePoint.toString(16).padStart(4, '0')}`)

/**
 * A quoted text of HCL. Control, format and separator characters are escaped (\u001b), and `${` and `%{` are doubled, since
 * they start a template.
 */
export const hclString = (text: string): Encoded<'hcl'> => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[$%](?=\{)/g, (sign) => sign + sign)
  return trusted(`"${escapeUnsafe(escaped, escapeCodePoint)}"`)
}

/** A Terraform name: lower-case letters, digits and underscores, beginning with a letter. */
export const hclName = (text: string, prefix = 'flavor'): Encoded<'hcl'> => {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return trusted(/^[a-z]/.test(name) ? name : `${prefix}_${name}`)
}

/** A comment, indented by two blanks. It ends at the line's end, which the text cannot contain. */
export const hclComment = (text: string): Encoded<'hcl'> => trusted(`#   ${visible(text)}`)

/** Lines of HCL: hcl`flavor_name = ${hclString(name)}`. */
export const hcl = tagFor<'hcl'>()
