import { Agent } from 'node:http'
import type { Database } from '@/lib/server/database/database'
import { apiPaths } from '@/lib/util/paths'
import { ask, type Load, measureLoad } from './measure'
import { kilobytes, milliseconds, printTable, times } from './print-table'
import { changeHosts } from './seed-fleet'

const SECONDS = 6

const row = (name: string, load: Load, full: Load): string[] => [
  name,
  load.statuses.join(' '),
  milliseconds(load.p50Ms),
  milliseconds(load.p95Ms),
  load.perSecond.toFixed(0),
  kilobytes(load.bytes),
  times(load.perSecond / full.perSecond),
]

type RequestOptions = { address: URL; path: string; clients: number }

const whole = ({ address, path, clients }: RequestOptions): Promise<Load> =>
  measureLoad(address, { clients, seconds: SECONDS, next: ({ ask }) => ask(path) })

const revalidated = async ({ address, path, clients }: RequestOptions): Promise<Load> => {
  const { headers } = await ask(new URL(path, address), { agent: new Agent() })
  const known = { 'if-none-match': headers.etag ?? '' }
  return measureLoad(address, { clients, seconds: SECONDS, next: ({ ask }) => ask(path, known) })
}

/** Each client requests what is newer than the last answer, while 20 hosts change every second. */
const following = async ({ address, path, clients }: RequestOptions, database: Database): Promise<Load> => {
  let turn = 1000
  const timer = setInterval(() => void changeHosts(database, { hostCount: 20, turn: ++turn }), 1000)
  let etag = ''
  try {
    return await measureLoad(address, {
      clients,
      seconds: SECONDS,
      next: async (connection) => {
        const answer = await connection.ask(path, { 'if-none-match': etag })
        etag = answer.etag ?? etag
        return answer
      },
    })
  } finally {
    clearInterval(timer)
  }
}

/** Over HTTP against the running console. `database` only when this process may write to it as well. */
export const measureHttp = async (
  address: string,
  { clients, database }: { clients: number; database: Database | null },
): Promise<void> => {
  const optionsFor = (path: string): RequestOptions => ({ address: new URL(address), path, clients })
  const gpus = optionsFor(apiPaths.gpus())
  const cold = await ask(new URL(gpus.path, address), { agent: new Agent() })
  await ask(new URL(apiPaths.overview(), address), { agent: new Agent() })
  const full = await whole(gpus)
  const rows = [row('GPUs, whole', full, full)]
  const addRows = async (name: string, list: RequestOptions): Promise<void> => {
    rows.push(row(`${name}, unchanged`, await revalidated(list), full))
    if (database !== null)
      rows.push(row(`${name}, 20 hosts change a second`, await following(list, database), full))
  }
  await addRows('GPUs', gpus)
  const hosts = optionsFor(apiPaths.hosts())
  rows.push(row('Hosts, whole', await whole(hosts), full))
  await addRows('Hosts', hosts)
  const paths = [
    ['Overview', apiPaths.overview()],
    ['Freshness', apiPaths.freshness()],
    ['Search for a host and address', apiPaths.search({ text: 'cmp-r100 18:00' })],
  ] as const
  for (const [name, path] of paths) rows.push(row(name, await whole(optionsFor(path)), full))
  printTable(
    `Over HTTP, production server, ${clients} clients on the same machine (first answer after the start: ${milliseconds(cold.ms)})`,
    [['', 'status', 'p50', 'p95', 'answers/s', 'on the wire', 'rate against whole'], ...rows],
  )
}
