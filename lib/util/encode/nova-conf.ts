import { type Encoded, tagFor, trusted } from './encoded'
import { codePointText, visible, withoutTemplates } from './visible'

const clean = (text: string): string => withoutTemplates(visible(text))

/** oslo.config strips blanks and one pair of quotes around a value (oslo_config/iniparser.py). */
const needsQuotes = (text: string): boolean =>
  text.trim() !== text || (text.length > 1 && text[0] === text.at(-1) && /["']/.test(text[0] ?? ''))

/**
 * A value of an option in nova.conf, as oslo.config reads it: `$` is doubled, since it starts a reference to another option.
 * Control, format and separator characters are replaced by their code points, so a value never becomes a second line.
 * `{{`, `{%` and `{#` are replaced in the same way: Kolla-Ansible and OpenStack-Ansible evaluate them before Nova reads them.
 */
export const novaConfValue = (text: string): Encoded<'nova-conf'> => {
  const value = clean(text).replaceAll('$', '$$$$')
  return trusted(needsQuotes(value) ? `"${value}"` : value)
}

/** One element of a list option. A comma would start the next element, so it is replaced by its code point. */
export const novaConfItem = (text: string): Encoded<'nova-conf'> =>
  novaConfValue(text.replaceAll(',', codePointText))

/**
 * The name of a section or of an option. Brackets and separators of names are replaced by their code points, and so is a first
 * character that would make the line a comment or continue the line before. An empty name would do so, too.
 */
export const novaConfName = (text: string): Encoded<'nova-conf'> =>
  trusted(clean(text).replace(/^[\s#;]|[[\]=:]/g, codePointText) || '⟨⟩')

/** Lines of nova.conf: novaConf`cpu_shared_set = ${novaConfValue(set)}`. */
export const novaConf = tagFor<'nova-conf'>()
