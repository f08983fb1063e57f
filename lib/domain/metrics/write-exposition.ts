import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { prometheusHead, prometheusName, prometheusSample } from '@/lib/util/encode/prometheus'

/** One value with its labels. A label's text may be anything that a host or a cloud sent. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number }

/** What Prometheus calls a metric: one name with its help and samples. A family without samples is left out. */
export type MetricFamily = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  samples: readonly Sample[]
}

/** Samples of one step. */
const STEP_SAMPLES = 1000

/**
 * Families in Prometheus's text format 0.0.4, with a newline at the end. Written here because the fleet's lines are many:
 * 70,000 took prom-client 0.7 s of one core.
 */
export function* writeExposition(families: readonly MetricFamily[]): Generator<void, Encoded<'prometheus'>> {
  const lines: Encoded<'prometheus'>[] = []
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    const encoded = prometheusName(name)
    lines.push(prometheusHead(encoded, { help, type }))
    for (const [index, sample] of samples.entries()) {
      lines.push(prometheusSample(encoded, sample))
      if (index % STEP_SAMPLES === 0) yield
    }
  }
  return joinEncoded(lines, '')
}
