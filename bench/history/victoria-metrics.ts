import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/scripts/demo-run/free-port'
import { type Sample, textOf } from './samples'
import { folderBytes, type Measured, measureRange, startAnswering, stopped } from './time-series-database'

const isInstalled = (): boolean => {
  try {
    execFileSync('victoria-metrics', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The samples in VictoriaMetrics after it has merged them, and its answer for the chart; null: it is not installed. */
export const measureVictoriaMetrics = async (
  samples: () => Iterable<Sample>,
  range: { end: number; days: number },
): Promise<Measured | null> => {
  if (!isInstalled()) return null
  const folder = mkdtempSync(join(tmpdir(), 'sliceboard-victoria-'))
  const address = `http://127.0.0.1:${await freePort()}`
  const server = await startAnswering(
    'victoria-metrics',
    [
      `-storageDataPath=${folder}`,
      '-retentionPeriod=10y',
      `-httpListenAddr=${address.slice('http://'.length)}`,
    ],
    new URL('/health', address),
  )
  let isRunning = true
  try {
    for (const part of textOf(samples(), 1000))
      await fetch(new URL('/api/v1/import/prometheus', address), { method: 'POST', body: part })
    for (const path of ['/internal/force_flush', '/internal/force_merge']) await fetch(new URL(path, address))
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const read = await measureRange('VictoriaMetrics', address, range)
    // Its end writes what was in memory alone.
    await stopped(server)
    isRunning = false
    return { bytes: folderBytes(join(folder, 'data')), read }
  } finally {
    if (isRunning) await stopped(server)
    rmSync(folder, { recursive: true, force: true })
  }
}
