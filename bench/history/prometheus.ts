import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/scripts/demo-run/free-port'
import { METRICS, type Sample, seriesName, textOf } from './samples'
import { folderBytes, type Measured, measureRange, startAnswering, stopped } from './time-series-database'

const isInstalled = (): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Metric by metric, as OpenMetrics wants it. */
const writeText = (file: string, samples: () => Iterable<Sample>): void => {
  writeFileSync(file, '')
  for (const metric of METRICS) {
    appendFileSync(file, `# TYPE ${seriesName(metric)} gauge\n`)
    const own = [...samples()].filter((sample) => sample.metric === metric)
    for (const part of textOf(own, 1)) appendFileSync(file, part)
  }
  appendFileSync(file, '# EOF\n')
}

/** The samples in Prometheus' blocks, and its answer for the chart; null: it is not installed. */
export const measurePrometheus = async (
  samples: () => Iterable<Sample>,
  range: { end: number; days: number },
): Promise<Measured | null> => {
  if (!isInstalled()) return null
  const folder = mkdtempSync(join(tmpdir(), 'sliceboard-prometheus-'))
  const [text, blocks, config] = ['samples', 'blocks', 'prometheus.yml'].map((name) => join(folder, name))
  if (text === undefined || blocks === undefined || config === undefined)
    throw new Error('three names were made')
  try {
    writeText(text, samples)
    // Blocks as long as Prometheus makes them itself in the end: a tenth of what it keeps, at most 31 days.
    const args = ['tsdb', 'create-blocks-from', '--max-block-duration=744h', 'openmetrics', text, blocks]
    execFileSync('promtool', args, { stdio: 'ignore' })
    const bytes = folderBytes(blocks)
    writeFileSync(config, 'scrape_configs: []\n')
    const address = `http://127.0.0.1:${await freePort()}`
    const server = await startAnswering(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${blocks}`,
        '--storage.tsdb.retention.time=10y',
        `--web.listen-address=${address.slice('http://'.length)}`,
      ],
      new URL('/-/ready', address),
    )
    try {
      return { bytes, read: await measureRange('Prometheus', address, range) }
    } finally {
      await stopped(server)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
