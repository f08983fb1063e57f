import { Agent } from 'node:http'
import { apiPaths } from '@/lib/util/paths'
import { ask } from '../fleet/measure'
import { median } from '../quantile'
import { type LoopWindow, maxDelay } from './loop-window'
import type { PreparedWorld } from './prepare-world'
import type { MeasuredConsole } from './run-console'
import { openSignedIn, type Samples } from './signed-in-console'

export type MeasuredApi = {
  name: string
  status: number
  /** The first answer of this console, and the middle of three more. */
  firstMs: number
  /** CPU time of the console for the first answer. */
  firstCpuMs: number
  ms: number
  /** The longest time for which any of them blocked the event loop. */
  blockingMs: number
  /** CPU time of the console for one answer: the middle of three. */
  cpuMs: number
  /** On the wire, and unpacked. */
  bytes: number
  textBytes: number
}

const TURNS = 3
const DAY_MS = 86_400_000

type Paths = [name: string, path: string][]

const optional = (name: string, id: number | null, pathOf: (ref: { id: number }) => string): Paths =>
  id === null ? [] : [[name, pathOf({ id })]]

const adminPaths = ({ host, address, type, flavor, finding, change }: Samples): Paths => {
  const range = { by: 'all', key: null, from: new Date(Date.now() - 30 * DAY_MS).toISOString(), until: null }
  return [
    ['overview', apiPaths.overview()],
    ['freshness', apiPaths.freshness()],
    ['gpus', apiPaths.gpus()],
    ['one GPU', apiPaths.gpu({ host, address })],
    ['sources of one GPU', apiPaths.gpuSources({ host, address })],
    ['hosts', apiPaths.hosts()],
    ['one host', apiPaths.host({ host })],
    ['PCI devices of one host', apiPaths.hostPci({ host })],
    ['reboot of one host', apiPaths.hostReboot({ host })],
    ['headroom for GPU servers', apiPaths.gpuHeadroom()],
    ['migration', apiPaths.migration()],
    ['migration of one type', apiPaths.migration({ type })],
    ['vGPU actions', apiPaths.vgpuActions()],
    ['findings', apiPaths.findings()],
    ['finding counts', apiPaths.findingCounts()],
    ...optional('one finding', finding, apiPaths.finding),
    ['flavors', apiPaths.flavors()],
    ['fit of one flavor', apiPaths.flavorFit({ flavor, zone: null })],
    ['fit of one type', apiPaths.typeFit({ type })],
    ['flavor offers', apiPaths.flavorOffers()],
    ['quotas', apiPaths.quotas()],
    ['quota requests', apiPaths.quotaRequests()],
    ['setup of unified limits', apiPaths.limitSetUp()],
    ['changes', apiPaths.changes()],
    ['change counts', apiPaths.changeCounts()],
    ...optional('one change', change, apiPaths.change),
    ['choices of a test boot', apiPaths.testChoices()],
    ['capacity', apiPaths.capacity(range)],
    ['marks of the capacity', apiPaths.capacityMarks({ ...range, host: null, address: null })],
    ['week of the capacity', apiPaths.capacityWeek({ ...range, zone: 'UTC' })],
    ['forecast', apiPaths.forecast({ by: 'type', key: null, until: null })],
    ['utilization', apiPaths.utilization({ ...range, host: null, address: null })],
    [
      'idle vGPUs',
      apiPaths.idleVgpus({ days: 7, by: 'all', key: null, host: null, address: null, until: null }),
    ],
    [
      'refused demand',
      apiPaths.refusedDemand({ from: range.from, until: null, flavor: null, project: null }),
    ],
    ['reviews', apiPaths.reviews()],
    ['vGPUs of one host', apiPaths.hostCells({ host })],
    ['audit', apiPaths.audit()],
    ['search', apiPaths.search({ text: 'cmp-000' })],
    ['agents', apiPaths.agents()],
    ['cloud reading', apiPaths.cloudReading()],
    ['metrics', '/api/metrics'],
  ]
}

const TENANT_PATHS: Paths = [
  ['catalog (tenant)', apiPaths.catalog({ limit: '24' })],
  ['own servers (tenant)', apiPaths.ownServers()],
  ['own requests (tenant)', apiPaths.ownRequests()],
]

const measureOne = async (
  console: MeasuredConsole,
  { name, path, cookie }: { name: string; path: string; cookie: string },
): Promise<MeasuredApi> => {
  const agent = new Agent({ keepAlive: true })
  const url = new URL(path, console.address)
  const windows: LoopWindow[] = []
  const measured = async () => {
    await console.window()
    const answer = await ask(url, { agent, headers: { cookie } })
    windows.push(await console.window())
    return answer
  }
  const first = await measured()
  const later = []
  for (let turn = 0; turn < TURNS; turn += 1) later.push(await measured())
  const cpuMs = median(windows.slice(1).map((window) => window.cpuMs))
  const plain = await ask(url, { agent, headers: { cookie, 'accept-encoding': 'identity' } })
  agent.destroy()
  return {
    name,
    status: first.status,
    firstMs: first.ms,
    firstCpuMs: windows[0]?.cpuMs ?? 0,
    ms: median(later.map(({ ms }) => ms)),
    blockingMs: Math.max(...windows.map(maxDelay)),
    cpuMs,
    bytes: first.bytes,
    textBytes: plain.bytes,
  }
}

/** Every list and page of the API, one after the other, on a console that has just started and reads the cloud no more. */
export const measureApis = async (world: PreparedWorld): Promise<MeasuredApi[]> => {
  const { console, admin, tenant, samples } = await openSignedIn(world)
  const measured: MeasuredApi[] = []
  for (const [name, path] of adminPaths(samples))
    measured.push(await measureOne(console, { name, path, cookie: admin }))
  for (const [name, path] of TENANT_PATHS)
    measured.push(await measureOne(console, { name, path, cookie: tenant }))
  await console.stop()
  return measured
}
