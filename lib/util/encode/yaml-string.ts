import { type Encoded, tagFor, trusted } from './encoded'
import { visible } from './visible'

/** One text as a value in double quotes. Control, format and separator characters are replaced by their code points. */
export const yamlString = (text: string): Encoded<'yaml'> => trusted(JSON.stringify(visible(text)))

/** One text in single quotes, in which YAML reads nothing but the quote itself. */
export const yamlQuoted = (text: string): Encoded<'yaml'> =>
  trusted(`'${visible(text).replaceAll("'", "''")}'`)

/** Lines of YAML: yaml`flavor: ${yamlString(name)}`. */
export const yaml = tagFor<'yaml'>()
