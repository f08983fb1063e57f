/**
 * `npm run bench:start [-- --hosts 10000 --cards 8 --days 730 --past-hosts 12 --rounds 3]`: how soon after its start the production
 * server answers, and what it then holds in memory, on PGlite and on its own PostgreSQL. The database has the present of a large
 * fleet, two years of changes of a few hosts, and the roll-ups of those two years for 4,000 pGPUs, which are as many rows as those of
 * the few.
 */
import { parseArgs } from 'node:util'
import { ensureFirstCloud } from '@/lib/server/process/ensure-clouds'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { isBuilt } from './fleet/console-process'
import { type BenchDatabase, createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable } from './fleet/print-table'
import { seedFleet } from './fleet/seed-fleet'
import { CLOUD, makeBigPast, pgpuCountOf, storeBigPast } from './history/big-past'
import { addLargeFleet } from './history/scale-roll-ups'
import { measureStart, type Start } from './start/measure-start'

const ROLLED_PGPUS = 4000
const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    cards: { type: 'string', default: '8' },
    days: { type: 'string', default: '730' },
    'past-hosts': { type: 'string', default: '12' },
    rounds: { type: 'string', default: '3' },
  },
})
if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}

const size = { hostCount: Number(values.hosts), cardsPerHost: Number(values.cards) }
const past = makeBigPast({
  hosts: Number(values['past-hosts']),
  days: Number(values.days),
  end: new Date(),
})

const fill = async (bench: BenchDatabase): Promise<void> => {
  const database = await bench.open()
  await ensureFirstCloud({ database, ...CLOUD, now: new Date(past.begin) })
  // First: it gives cards to every host that is there.
  await seedFleet(database, size)
  const cloudId = await storeBigPast(database, past)
  await addLargeFleet(database, cloudId, ROLLED_PGPUS / pgpuCountOf(past))
  await database.close()
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const measure = async (name: string, serverUrl: string | null): Promise<string[]> => {
  const bench = await createBenchDatabase(serverUrl)
  try {
    await fill(bench)
    const starts: Start[] = []
    for (let round = 0; round < Number(values.rounds); round += 1)
      starts.push(
        await measureStart({
          ...bench.env,
          SLICEBOARD_CLOUD: CLOUD.name,
          OS_CLIENT_CONFIG_FILE: '/dev/null',
          SLICEBOARD_SIGN_IN: 'off',
        }),
      )
    const of = (read: (start: Start) => number): number => median(starts.map(read))
    const mebibytes = (read: (start: Start) => number): string => `${of(read).toFixed(0)} MiB`
    return [
      name,
      milliseconds(of(({ healthMs }) => healthMs)),
      milliseconds(of(({ gpusMs }) => gpusMs)),
      milliseconds(of(({ pageMs }) => pageMs)),
      mebibytes(({ residentMib }) => residentMib),
      mebibytes(({ peakMib }) => peakMib),
    ]
  } finally {
    await bench.remove()
  }
}

const rows = [await measure('PGlite', null)]
const binaries = findPostgresBinaries()
if (binaries === null) console.log('PostgreSQL is not installed, so it is left out.')
else {
  const postgres = await startPrivatePostgres(binaries, { isDurable: true })
  try {
    rows.push(await measure('PostgreSQL', postgres.url))
  } finally {
    await postgres.stop()
  }
}
printTable(
  `Production server from the start of its process, ${size.hostCount * size.cardsPerHost} pGPUs, ${values.days} days of history, median of ${values.rounds}`,
  [
    ['', 'health', 'GPUs, whole', 'GPUs page', 'resident then', 'most'],
    ...rows,
    ['aim', '2000 ms', '', '', '286 MiB', ''],
  ],
)
