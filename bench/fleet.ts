/**
 * `npm run bench:fleet [-- --hosts 10000 --cards 8 --clients 20 --database postgres://…]`: a large fleet in the database, and what
 * reading it costs, the console on one core and its clients on the other. Without --database on PGlite in a temporary folder.
 */
import { parseArgs } from 'node:util'
import { ensureFirstCloud } from '@/lib/server/process/ensure-clouds'
import { isBuilt, startConsole } from './fleet/console-process'
import { measureHttp } from './fleet/measure-http'
import { measureSnapshot } from './fleet/measure-snapshot'
import { createBenchDatabase } from './fleet/open-bench-database'
import { seedFleet } from './fleet/seed-fleet'
import { LOAD_CORE, pinSelf, SERVER_CORE } from './ingest/pinned-process'

const CLOUD = 'bench'

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    cards: { type: 'string', default: '8' },
    clients: { type: 'string', default: '20' },
    database: { type: 'string' },
  },
})
if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}
const hostCount = Number(values.hosts)
const cardsPerHost = Number(values.cards)

const bench = await createBenchDatabase(values.database ?? null)
try {
  const database = await bench.open()
  await ensureFirstCloud({ database, name: CLOUD, region: null, now: new Date() })
  const startedAt = performance.now()
  await seedFleet(database, { hostCount, cardsPerHost })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${hostCount} hosts x ${cardsPerHost} pGPUs on ${database.kind}, written in ${seconds} s`)
  const cloud = await database.prisma.cloud.findFirstOrThrow({ where: { name: CLOUD } })
  await measureSnapshot(database, cloud)
  if (!bench.isShared) await database.close()
  const server = await startConsole(
    { ...bench.env, SLICEBOARD_CLOUD: CLOUD, SLICEBOARD_SILENT_AFTER_SECONDS: '3600' },
    { core: SERVER_CORE },
  )
  pinSelf(LOAD_CORE)
  await measureHttp(server.address, {
    clients: Number(values.clients),
    database: bench.isShared ? database : null,
  })
  await server.stop()
  if (bench.isShared) await database.close()
} finally {
  await bench.remove()
}
