import { stringify } from 'yaml'
import { type Encoded, trusted } from './encoded'
import { visible, withoutTemplates } from './visible'

const clean = (value: unknown, text: (text: string) => string): unknown => {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => clean(item, text))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), clean(item, text)]))
}

/**
 * A document for a deployment tool, which every reader takes for the same value. Texts are quoted: Ansible and Helm's Python
 * relatives read YAML 1.1, for which 0000:18:00.0 is the number 1080. Lines are never folded. In keys and texts, control,
 * format and separator characters are replaced by their code points, and so is the second character of `{{`, `{%` and `{#`,
 * which these tools evaluate. `hasOwnTemplates`: the caller wants its own expressions evaluated, and every other text in the
 * value comes from an encoder that replaces them.
 */
export const yamlDocument = (value: unknown, { hasOwnTemplates = false } = {}): Encoded<'yaml'> =>
  trusted(
    stringify(
      clean(value, (text) => (hasOwnTemplates ? visible(text) : withoutTemplates(visible(text)))),
      { version: '1.1', defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN', lineWidth: 0 },
    ),
  )
