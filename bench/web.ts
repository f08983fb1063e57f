/**
 * `npm run bench:web [-- --rounds 3]`: the GPUs page with 1,000 x 4 and with 10,000 x 8 pGPUs in Chromium, the processor slowed
 * down four times, next to an empty Next page in the same run; the largest with the processor as it is, too. Medians of some
 * cold visits.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { ensureFirstCloud } from '@/lib/server/process/ensure-clouds'
import { BROWSER_FLAGS, ensureBrowser } from '../scripts/testing/browser'
import { isBuilt, startConsole } from './fleet/console-process'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable } from './fleet/print-table'
import { seedFleet } from './fleet/seed-fleet'
import { startPinned } from './ingest/pinned-process'
import { median } from './quantile'
import { CPU_SLOWDOWN, type Interaction, measureLoad, measureUse, type PageLoad } from './web/measure-page'

const EMPTY_PORT = '3918'
const EMPTY_APP = join('bench', 'empty-app')
const root = join(import.meta.dirname, '..')
const nextCommand = join('node_modules', 'next', 'dist', 'bin', 'next')

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const rounds = Number(values.rounds)

type Figures = PageLoad & { use: Interaction | null }

const medians = (all: Figures[]): Figures => {
  const of = (read: (figures: Figures) => number | null) =>
    median(all.map(read).filter((value) => value !== null))
  const hasUse = all.some(({ use }) => use !== null)
  return {
    lcpMs: of(({ lcpMs }) => lcpMs),
    layoutShift: of(({ layoutShift }) => layoutShift),
    rowsMs: all.some(({ rowsMs }) => rowsMs !== null) ? of(({ rowsMs }) => rowsMs) : null,
    scriptKb: of(({ scriptKb }) => scriptKb),
    domNodes: of(({ domNodes }) => domNodes),
    use: hasUse
      ? {
          inpMs: of(({ use }) => use?.inpMs ?? null),
          filterMs: of(({ use }) => use?.filterMs ?? null),
          sortMs: of(({ use }) => use?.sortMs ?? null),
          frameP95Ms: of(({ use }) => use?.frameP95Ms ?? null),
          domNodes: of(({ use }) => use?.domNodes ?? null),
        }
      : null,
  }
}

type Visit = { hasRows: boolean; slowdown: number }

const SLOWED: Visit = { hasRows: true, slowdown: CPU_SLOWDOWN }

const visit = async (browser: Browser, url: string, { hasRows, slowdown }: Visit): Promise<Figures> => {
  const all: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { page, load } = await measureLoad(browser, url, { hasRows, slowdown })
    all.push({ ...load, use: hasRows ? await measureUse(page) : null })
    await page.context().close()
  }
  return medians(all)
}

const measureEmptyPage = async (browser: Browser): Promise<Figures> => {
  if (!existsSync(join(root, EMPTY_APP, '.next', 'BUILD_ID'))) {
    const build = startPinned({ core: 1, cwd: root, args: [nextCommand, 'build', EMPTY_APP] })
    await build.printed(/Route \(app\)/)
    await build.ended
  }
  const args = [nextCommand, 'start', EMPTY_APP, '-p', EMPTY_PORT, '-H', '127.0.0.1']
  const next = startPinned({ core: 0, cwd: root, args })
  await next.printed(/Ready in/)
  const figures = await visit(browser, `http://127.0.0.1:${EMPTY_PORT}/`, { ...SLOWED, hasRows: false })
  await next.stop()
  return figures
}

/** One figure for each of the visits, all of the same fleet and the same console. */
const measureFleet = async (
  browser: Browser,
  { hostCount, cardsPerHost, visits }: { hostCount: number; cardsPerHost: number; visits: Visit[] },
): Promise<Figures[]> => {
  const bench = await createBenchDatabase(null)
  try {
    const database = await bench.open()
    await ensureFirstCloud({ database, name: 'bench', region: null, now: new Date() })
    await seedFleet(database, { hostCount, cardsPerHost })
    await database.close()
    const console = await startConsole({
      ...bench.env,
      SLICEBOARD_CLOUD: 'bench',
      SLICEBOARD_SILENT_AFTER_SECONDS: '3600',
    })
    await fetch(`${console.address}/api/v1/gpus`)
    const figures: Figures[] = []
    for (const one of visits) figures.push(await visit(browser, `${console.address}/gpus`, one))
    await console.stop()
    return figures
  } finally {
    await bench.remove()
  }
}

const cells = (name: string, { lcpMs, layoutShift, rowsMs, scriptKb, domNodes, use }: Figures): string[] => [
  name,
  milliseconds(lcpMs),
  layoutShift.toFixed(3),
  `${scriptKb.toFixed(0)} kB`,
  rowsMs === null ? '-' : milliseconds(rowsMs),
  String(use?.domNodes ?? domNodes),
  ...cellsOfUse(use),
]

const cellsOfUse = (use: Interaction | null): string[] =>
  use === null
    ? ['-', '-', '-', '-']
    : [use.inpMs, use.filterMs, use.sortMs, use.frameP95Ms].map(milliseconds)

/** How many times as much as the value next to it. */
const ratio = (part: number, whole: number): string => `${(part / whole).toFixed(2)}x`

const ratios = (list: Figures, empty: Figures): [string, string][] => [
  ['LCP', ratio(list.lcpMs, empty.lcpMs)],
  ['script', ratio(list.scriptKb, empty.scriptKb)],
]

if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_FLAGS })
try {
  const empty = await measureEmptyPage(browser)
  const small = await measureFleet(browser, { hostCount: 1000, cardsPerHost: 4, visits: [SLOWED] })
  const large = await measureFleet(browser, {
    hostCount: 10_000,
    cardsPerHost: 8,
    visits: [SLOWED, { hasRows: true, slowdown: 1 }],
  })
  printTable(
    `GPUs page in Chromium, processor ${CPU_SLOWDOWN} times slower, median of ${rounds} cold visits`,
    [
      [
        '',
        'LCP',
        'layout shift',
        'script, gzip',
        'data to rows',
        'DOM nodes',
        'INP',
        'filter',
        'sort',
        'frame p95',
      ],
      cells('empty Next page', empty),
      ...small.map((figures) => cells('1,000 hosts x 4', figures)),
      ...large.map((figures, at) =>
        cells(at === 0 ? '10,000 hosts x 8' : 'the same, not slowed down', figures),
      ),
      ['aim', '1000 ms', '0.020', '170 kB', '50 ms', '500', '100 ms', '50 ms', '50 ms', '20 ms'],
    ],
  )
  printTable(
    '10,000 hosts x 8, times as much as the empty page',
    large.slice(0, 1).flatMap((figures) => ratios(figures, empty)),
  )
} finally {
  await browser.close()
}
