import { type Encoded, trusted } from './encoded'
import { visible } from './visible'

/**
 * The value of a label, with its quotes, for Prometheus's text format 0.0.4. Control, format and separator characters,
 * line feeds included, are replaced by their code points.
 */
const prometheusLabel = (text: string): Encoded<'prometheus'> =>
  trusted(`"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)

/** The name of a metric or of a label: letters, digits and underscores. */
export const prometheusName = (text: string): Encoded<'prometheus'> => trusted(text.replace(/\W/g, '_'))

const helpText = (text: string): string => visible(text).replaceAll('\\', '\\\\')

/** The lines before the samples of a metric. */
export const prometheusHead = (
  name: Encoded<'prometheus'>,
  { help, type }: { help: string; type: 'gauge' | 'counter' },
): Encoded<'prometheus'> => trusted(`# HELP ${name} ${helpText(help)}\n# TYPE ${name} ${type}\n`)

/** Samples of several metrics share one object of labels, so its text is written once. */
const labelTexts = new WeakMap<Readonly<Record<string, string>>, string>()

const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const known = labelTexts.get(labels)
  if (known !== undefined) return known
  const texts = Object.entries(labels).map(
    ([label, text]) => `${prometheusName(label)}=${prometheusLabel(text)}`,
  )
  const text = texts.length === 0 ? '' : `{${texts.join(',')}}`
  labelTexts.set(labels, text)
  return text
}

/** The line of one sample. Its labels do not change afterwards. */
export const prometheusSample = (
  name: Encoded<'prometheus'>,
  { labels, value }: { labels: Readonly<Record<string, string>>; value: number },
): Encoded<'prometheus'> => trusted(`${name}${labelsText(labels)} ${value}\n`)
