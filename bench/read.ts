/**
 * `npm run bench:read [-- --hosts 1000]`: the console's fleet page against asking a real Placement oneself. Needs the
 * running lab with its client (`npm run lab:install`, `npm run lab:start`) and a build; in addition to the lab's own
 * cloud it fills one of hosts with four pGPUs each.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setup } from '@/lab/tests/prepare'
import { loadClouds } from '@/lib/openstack/clouds/load-clouds'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { ensureFirstCloud } from '@/lib/server/process/ensure-clouds'
import { isBuilt, startConsole } from './fleet/console-process'
import { createBenchDatabase } from './fleet/open-bench-database'
import { milliseconds, printTable, times } from './fleet/print-table'
import { measurePage } from './read/measure-page'
import { measureCandidates, measureClient, measureLoop, openPlacement } from './read/other-ways'
import { enrollHosts, reportHosts } from './read/report-hosts'
import { type Round, watchRounds } from './read/watch-rounds'

const CLOUD = 'bench'
const PGPUS = 4
const QUIET_REQUESTS = 10
const QUIET_ROUNDS = 5
const CLIENT_CALLS = 20

const { values } = parseArgs({ options: { hosts: { type: 'string', default: '1000' } } })
const hostCount = Number(values.hosts)
const root = join(import.meta.dirname, '..')
const state = resolve(process.env.LAB_STATE ?? join(root, '.lab'))
const cloudScript = join(root, 'lab', 'bench', 'cloud.sh')
const configFile = join(state, 'bench', 'clouds.yaml')
const inLab = (args: string[]) => execFileSync(cloudScript, args, { stdio: 'inherit' })

const stopWith = (sentence: string): never => {
  console.error(sentence)
  process.exit(1)
}
if (!isBuilt()) stopWith('The console is not built: run "npm run build" first.')
if (!existsSync('/usr/bin/openstack'))
  stopWith('The openstack client is missing: run "npm run lab:install" first.')

const waitForQuiet = async (address: string): Promise<Round[]> => {
  let quiet = 0
  return watchRounds(address, (rounds, { parts }) => {
    const isWhole = rounds.at(-1)?.waitingRequests === 0 && parts.every(({ error }) => error === null)
    quiet = isWhole ? quiet + 1 : 0
    return quiet > QUIET_ROUNDS
  })
}

const measureConsole = async () => {
  const bench = await createBenchDatabase(null)
  try {
    const database = await bench.open()
    await ensureFirstCloud({ database, name: CLOUD, region: null, now: new Date() })
    const cloud = await database.prisma.cloud.findFirstOrThrow({ where: { name: CLOUD } })
    await enrollHosts(database, { cloudId: cloud.id, hostCount })
    await database.close()
    const server = await startConsole({
      ...bench.env,
      OS_CLIENT_CONFIG_FILE: configFile,
      SLICEBOARD_SIGN_IN: 'off',
      SLICEBOARD_SILENT_AFTER_SECONDS: '3600',
      SLICEBOARD_READ_INTERVAL_SECONDS: '10',
    })
    try {
      await reportHosts(server.address, hostCount)
      const rounds = await waitForQuiet(server.address)
      return { rounds, page: await measurePage(server.address, hostCount * PGPUS) }
    } finally {
      await server.stop()
    }
  } finally {
    await bench.remove()
  }
}

const measureOthers = async () => {
  const { clouds } = await loadClouds({
    environment: { OS_CLIENT_CONFIG_FILE: configFile },
    workingDirectory: state,
    homeDirectory: state,
    systemDirectory: state,
  })
  const cloud = clouds.find(({ name }) => name === CLOUD) ?? stopWith(`${configFile} has no cloud ${CLOUD}.`)
  const account = createServiceAccount(cloud)
  try {
    const placement = await openPlacement(account)
    const pgpus = await placement.listPgpus()
    return {
      client: await measureClient(pgpus, { configFile, measured: CLIENT_CALLS }),
      candidates: await measureCandidates(placement),
      loop: await measureLoop(placement),
    }
  } finally {
    await account.close()
  }
}

const seconds = (ms: number): string => (ms < 1000 ? milliseconds(ms) : `${(ms / 1000).toFixed(1)} s`)

await setup()
inLab(['start', String(hostCount)])
try {
  const { rounds, page } = await measureConsole()
  const { candidates, loop, client } = await measureOthers()
  const quiet = rounds.slice(-QUIET_ROUNDS)
  const maxRequests = Math.max(...quiet.map(({ requests }) => requests))
  const first = rounds.slice(0, -QUIET_ROUNDS)
  printTable(`Reading rounds of ${hostCount} hosts x ${PGPUS} pGPUs, from a real Placement and Nova`, [
    ['', 'rounds', 'requests', 'time'],
    [
      'until all is known',
      String(first.length),
      String(first.reduce((sum, { requests }) => sum + requests, 0)),
      seconds(first.reduce((sum, { tookMs }) => sum + tookMs, 0)),
    ],
    [
      'unchanged, the dearest',
      String(quiet.length),
      String(maxRequests),
      seconds(Math.max(...quiet.map(({ tookMs }) => tookMs))),
    ],
  ])
  const against = (ms: number): string[] => [
    seconds(ms),
    times(ms / page.wholeMs),
    times(ms / page.unchangedMs),
  ]
  printTable('All pGPUs with their use', [
    ['', 'requests', 'time', 'against the page', 'against it unchanged'],
    ["the console's fleet page", '1', ...against(page.wholeMs)],
    ['the same, unchanged (304)', '1', ...against(page.unchangedMs)],
    ['allocation_candidates, one call', String(candidates.calls), ...against(candidates.ms)],
    ['loop of API calls', String(loop.calls), ...against(loop.ms)],
    [`openstack client, from ${CLIENT_CALLS} calls`, String(client.calls), ...against(client.ms)],
  ])
  console.log(
    `\n  The client took ${seconds(client.measuredMs)} for ${CLIENT_CALLS} calls; the rest is their mean.`,
  )
  if (maxRequests > QUIET_REQUESTS)
    stopWith(`An unchanged round cost ${maxRequests} requests, more than the ${QUIET_REQUESTS} that it may.`)
} finally {
  inLab(['stop'])
}
