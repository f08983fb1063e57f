import type { Past, PastPoint } from '@/simulator/past/types'

/** What a scrape would have read of a pGPU; the console keeps spare, orphan and stranded in addition to them. */
export const METRICS = ['capacity', 'used'] as const
export type Metric = (typeof METRICS)[number]

export type Sample = { metric: Metric; address: string; at: number; value: number }

/** Scrapes of one host's pGPUs every `stepMs`, metric by metric and pGPU by pGPU in the order of time. */
export function* samplesOf(
  past: Past,
  { host, days, stepMs }: { host: string; days: number; stepMs: number },
): Generator<Sample> {
  const points = past.hosts.find(({ name }) => name === host)?.points ?? []
  const addresses = [...new Set(points.map(({ address }) => address))]
  const begin = Math.ceil((past.end - days * 86_400_000) / stepMs) * stepMs
  for (const metric of METRICS)
    for (const address of addresses) {
      const own = points.filter((point) => point.address === address)
      let offset = 0
      let latest: PastPoint | undefined
      for (let at = begin; at < past.end; at += stepMs) {
        for (; offset < own.length && (own[offset]?.at ?? at) <= at; offset += 1) latest = own[offset]
        const value = latest?.[metric] ?? null
        if (value !== null) yield { metric, address, at, value }
      }
    }
}

export const seriesName = (metric: Metric): string => `sliceboard_${metric}`

const LINES_AT_ONCE = 50_000

/** As lines of Prometheus' text format, in parts; `perSecond`: 1 for seconds, 1000 for milliseconds. */
export function* textOf(samples: Iterable<Sample>, perSecond: number): Generator<string> {
  let lines: string[] = []
  for (const { metric, address, at, value } of samples) {
    lines.push(`${seriesName(metric)}{pgpu="${address}"} ${value} ${Math.round((at / 1000) * perSecond)}`)
    if (lines.length < LINES_AT_ONCE) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}
