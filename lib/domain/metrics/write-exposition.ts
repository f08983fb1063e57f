/** One value with its labels. A label's text may be anything that a host or a cloud said. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number }

/** What Prometheus calls a metric: one name with its help and samples. A family without samples is left out. */
export type MetricFamily = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  samples: readonly Sample[]
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

const sampleLine = (name: string, { labels, value }: Sample): string => {
  let texts = ''
  for (const [label, text] of Object.entries(labels))
    texts += `${texts === '' ? '' : ','}${label}="${escapeLabel(text)}"`
  return `${name}${texts === '' ? '' : `{${texts}}`} ${value}\n`
}

/**
 * Families in Prometheus's text format 0.0.4, with a newline at the end. Written here because the fleet's lines are many:
 * 70,000 took prom-client 0.7 s of one core.
 */
export const writeExposition = (families: readonly MetricFamily[]): string => {
  let text = ''
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
    for (const sample of samples) text += sampleLine(name, sample)
  }
  return text
}
