import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { apiPaths } from '@/lib/util/paths'
import { createRandom } from '@/simulator/random/random'
import { type Answer, ask } from '../fleet/measure'
import { quantile } from '../quantile'
import { signIn } from '../tenant/signed-in'
import { maxDelay } from './loop-window'
import type { PreparedWorld } from './prepare-world'
import { openSignedIn } from './signed-in-console'
import { benchMember, MEMBERS } from './world/bench-projects'

export type MeasuredViewers = {
  /** Everyone arrives within a second, or all of them poll as open pages do. */
  phase: 'arriving' | 'polling'
  viewers: string
  answers: number
  statuses: number[]
  p50Ms: number
  p95Ms: number
  maxMs: number
  /** Of the console in this phase. */
  blockingMs: number
  cpuShare: number
}

const ADMINS = 20
const ARRIVING_MS = 1000
const POLLING_MS = 60_000
const ADMIN_EVERY_MS = 2000
/** As `lib/api/catalog.ts` polls. */
const TENANT_EVERY_MS = 15_000

/** Requested in turn by each admin; each begins at a different one. */
const ADMIN_PATHS = [
  apiPaths.overview(),
  apiPaths.gpus(),
  apiPaths.hosts(),
  apiPaths.findings(),
  apiPaths.findingCounts(),
  apiPaths.flavors(),
  apiPaths.quotas(),
  apiPaths.changes(),
  apiPaths.gpuHeadroom(),
  apiPaths.migration(),
  apiPaths.cloudReading(),
]

type Viewer = { kind: 'admin' | 'tenant'; cookie: string; everyMs: number; paths: readonly string[] }

/** 20 admins on all lists and 200 tenants of different projects on the catalog, at the same time. */
export const measureViewers = async (world: PreparedWorld): Promise<MeasuredViewers[]> => {
  const { console, admin } = await openSignedIn(world)
  const random = createRandom(7)
  const agent = new Agent({ keepAlive: true })
  const viewers: Viewer[] = Array.from({ length: ADMINS }, (_, index) => ({
    kind: 'admin',
    cookie: admin,
    everyMs: ADMIN_EVERY_MS,
    paths: [
      ...ADMIN_PATHS.slice(index % ADMIN_PATHS.length),
      ...ADMIN_PATHS.slice(0, index % ADMIN_PATHS.length),
    ],
  }))
  // A small cloud has fewer projects than viewers.
  const cookies: string[] = []
  for (let index = 0; index < Math.min(MEMBERS, world.size.projects); index += 1)
    cookies.push((await signIn(console.address, benchMember(index), { onSystem: false })).cookie)
  for (let index = 0; index < MEMBERS; index += 1)
    viewers.push({
      kind: 'tenant',
      cookie: cookies[index % cookies.length] ?? '',
      everyMs: TENANT_EVERY_MS,
      paths: [apiPaths.catalog({ limit: '24' })],
    })

  const measured: MeasuredViewers[] = []
  const run = async (phase: MeasuredViewers['phase'], lengthMs: number): Promise<void> => {
    const answers: { kind: Viewer['kind']; answer: Answer }[] = []
    const view = async ({ kind, cookie, everyMs, paths }: Viewer): Promise<void> => {
      let dueMs = performance.now() + random.next() * Math.min(everyMs, lengthMs)
      const endMs = performance.now() + lengthMs
      for (let turn = 0; dueMs < endMs; turn += 1, dueMs += everyMs) {
        await wait(Math.max(0, dueMs - performance.now()))
        const url = new URL(paths[turn % paths.length] ?? '/', console.address)
        answers.push({ kind, answer: await ask(url, { agent, headers: { cookie } }) })
      }
    }
    await console.window()
    await Promise.all(viewers.map(view))
    const window = await console.window()
    for (const kind of ['admin', 'tenant'] as const) {
      const own = answers.filter((one) => one.kind === kind).map(({ answer }) => answer)
      const times = own.map(({ ms }) => ms)
      measured.push({
        phase,
        viewers: kind === 'admin' ? `${ADMINS} admins` : `${MEMBERS} tenants`,
        answers: own.length,
        statuses: [...new Set(own.map(({ status }) => status))],
        p50Ms: quantile(times, 0.5),
        p95Ms: quantile(times, 0.95),
        maxMs: Math.max(...times),
        blockingMs: maxDelay(window),
        cpuShare: window.cpuMs / window.ms,
      })
    }
  }
  await run('arriving', ARRIVING_MS)
  await run('polling', POLLING_MS)
  agent.destroy()
  await console.stop()
  return measured
}
