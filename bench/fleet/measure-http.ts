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

const whole = (url: URL, clients: number): Promise<Load> =>
  measureLoad({ clients, seconds: SECONDS, next: (agent) => ask(url, { agent }) })

const revalidated = async (url: URL, clients: number): Promise<Load> => {
  const { headers } = await ask(url, { agent: new Agent() })
  const etag = headers.etag ?? ''
  return measureLoad({
    clients,
    seconds: SECONDS,
    next: (agent) => ask(url, { agent, headers: { 'if-none-match': etag } }),
  })
}

/** Each client asks for what is newer than its last answer, while 20 hosts change every second. */
const following = async (
  url: URL,
  { clients, database }: { clients: number; database: Database },
): Promise<Load> => {
  let turn = 1000
  const timer = setInterval(() => void changeHosts(database, { hostCount: 20, turn: ++turn }), 1000)
  let etag = ''
  try {
    return await measureLoad({
      clients,
      seconds: SECONDS,
      next: async (agent) => {
        const answer = await ask(url, { agent, headers: { 'if-none-match': etag } })
        etag = answer.headers.etag ?? etag
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
  const at = (path: string): URL => new URL(path, address)
  const gpus = at(apiPaths.gpus())
  const cold = await ask(gpus, { agent: new Agent() })
  await ask(at(apiPaths.overview()), { agent: new Agent() })
  const full = await whole(gpus, clients)
  const rows = [
    row('GPUs, whole', full, full),
    row('GPUs, unchanged', await revalidated(gpus, clients), full),
  ]
  if (database !== null)
    rows.push(row('GPUs, 20 hosts change a second', await following(gpus, { clients, database }), full))
  const paths = [
    ['Overview', apiPaths.overview()],
    ['Freshness', apiPaths.freshness()],
    ['Hosts', apiPaths.hosts()],
    ['Search for a host and address', apiPaths.search({ text: 'cmp-r100 18:00' })],
  ] as const
  for (const [name, path] of paths) rows.push(row(name, await whole(at(path), clients), full))
  printTable(
    `Over HTTP, production server, ${clients} clients on the same machine (first answer after the start: ${milliseconds(cold.ms)})`,
    [['', 'status', 'p50', 'p95', 'answers/s', 'on the wire', 'rate against whole'], ...rows],
  )
}
