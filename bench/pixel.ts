/**
 * `npm run bench:pixel [-- --changes 100 --rate 667 --hosts 400]`: from an agent's report to the changed number in the GPUs list that
 * is open, while other agents report at a steady rate. One production server on its own PostgreSQL (PGlite where none
 * is installed), one Chromium, one machine and clock.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { BROWSER_FLAGS, ensureBrowser } from '../scripts/testing/browser'
import { isBuilt, startConsole } from './fleet/console-process'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable } from './fleet/print-table'
import { enrollHosts } from './ingest/enroll-hosts'
import { startLoad } from './ingest/measure-console'
import { watchPage } from './pixel/watch-page'
import { openWatchedHost } from './pixel/watched-host'
import { quantile } from './quantile'

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '100' },
    rate: { type: 'string', default: '667' },
    hosts: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '150' },
    pglite: { type: 'boolean', default: false },
  },
})
const [changes, perSecond, hosts] = [Number(values.changes), Number(values.rate), Number(values.hosts)]
/** Changes fall anywhere between two questions of the page. */
const REST_MS = { min: 150, spread: 700 }

if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}
const binaries = values.pglite ? null : findPostgresBinaries()
const postgres = binaries === null ? null : await startPrivatePostgres(binaries, { isDurable: true })
const bench = await createBenchDatabase(postgres?.url ?? null)
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_FLAGS })
try {
  const database = await bench.open()
  await enrollHosts(database, hosts + 1)
  await database.close()
  const server = await startConsole({
    ...bench.env,
    SLICEBOARD_CLOUD: 'bench',
    SLICEBOARD_SIGN_IN: 'off',
    OS_CLIENT_CONFIG_FILE: '/dev/null',
  })
  const port = Number(new URL(server.address).port)
  const target = { port, path: AGENT_PATHS.reports, pid: server.pid }
  // A little more than are sent, so that no connection runs out of them.
  const maxRate = perSecond * 1.3
  const terms = { seconds: Number(values.seconds), connections: 16, hosts, maxRate, perSecond }
  const load = perSecond === 0 ? null : startLoad(target, terms)
  await load?.warm
  const host = await openWatchedHost(port, hosts)
  await host.report()
  const page = await watchPage(browser, `${server.address}/gpus?q=${host.name}`)
  const times: number[] = []
  for (let change = 0; change < changes; change += 1) {
    await wait(REST_MS.min + Math.random() * REST_MS.spread)
    const before = await page.count()
    const sentAt = await host.report()
    times.push((await page.seenAt(before)) - sentAt)
  }
  host.close()
  const at = (share: number): string => milliseconds(quantile(times, share))
  const held = await load?.result
  await server.stop()
  printTable(
    `From a report to the changed number in the GPUs list, ${changes} changes, ${hosts} hosts x 8 pGPUs, ${database.kind}`,
    [
      ['', 'p50', 'p95', 'p99', 'most'],
      [`${held?.rate.toFixed(0) ?? 0} reports a second at the same time`, at(0.5), at(0.95), at(0.99), at(1)],
      ['aim', '', '', '1000 ms', ''],
    ],
  )
  if (held !== undefined)
    console.log(`Reports themselves: p50 ${milliseconds(held.p50Ms)}, p99 ${milliseconds(held.p99Ms)}.`)
} finally {
  await browser.close()
  await bench.remove()
  await postgres?.stop()
}
