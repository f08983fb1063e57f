import { type Encoded, tagFor, trusted } from './encoded'
import { visible } from './visible'

/**
 * The value of a label, with its quotes, for Prometheus's text format 0.0.4. Control, format and separator characters,
 * line feeds included, are replaced by their code points.
 */
export const prometheusLabel = (text: string): Encoded<'prometheus'> =>
  trusted(`"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)

/** Lines of the exposition format. */
export const prometheus = tagFor<'prometheus'>()
