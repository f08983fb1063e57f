import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CLOUD, cloudsYaml } from '@/e2e/world/clouds-yaml'
import { makeJoinToken, reportHosts } from '@/e2e/world/report-hosts'
import { apiPaths } from '@/lib/util/paths'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import { startConsole } from '../fleet/console-process'
import { ask } from '../fleet/measure'
import { addCrowd } from './crowd'
import { type SignedIn, signIn } from './signed-in'

const HOSTS = 4
const LIMIT_MS = 120_000

type Who = 'tenant' | 'admin'
type TimedAnswer = { status: number; ms: number }

export type TenantWorld = {
  ask: (path: string, who: Who) => Promise<TimedAnswer>
  /** The catalog as the tenant reads it. */
  catalog: () => Promise<string>
  stop: () => Promise<void>
}

const textOf = async (address: string, where: string, { cookie }: SignedIn): Promise<string | null> => {
  const answer = await fetch(new URL(where, address), { headers: { cookie } })
  return answer.ok ? answer.text() : null
}

/** Asks until the answer is as wanted, and gives it. */
const until = async (
  what: string,
  askOnce: () => Promise<string | null>,
  isWanted: (text: string) => boolean,
): Promise<string> => {
  const end = Date.now() + LIMIT_MS
  while (Date.now() < end) {
    const text = await askOnce()
    if (text !== null && isWanted(text)) return text
    await wait(500)
  }
  throw new Error(`${what} did not come within ${LIMIT_MS / 1000} s`)
}

/** A console with a simulated cloud whose hosts have reported, read and counted once; a tenant and an admin are signed in. */
export const openTenantWorld = async ({ isCrowded }: { isCrowded: boolean }): Promise<TenantWorld> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-bench-'))
  const openstack = await startOpenStack({ hostCount: HOSTS, seed: 3 })
  if (isCrowded) addCrowd(openstack.cloud)
  const file = path.join(folder, 'clouds.yaml')
  writeFileSync(file, cloudsYaml(openstack.authUrl))
  const server = await startConsole({
    SLICEBOARD_OPENSTACK: 'auto',
    SLICEBOARD_CLOUD: CLOUD,
    SLICEBOARD_REGION: 'RegionOne',
    SLICEBOARD_DATA_DIR: path.join(folder, 'data'),
    // Long enough that no round falls into the measuring, and short enough that one follows the reports.
    SLICEBOARD_READ_INTERVAL_SECONDS: '10',
    SLICEBOARD_SILENT_AFTER_SECONDS: '86400',
    SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND: '100000',
    DATABASE_URL: '',
    OS_CLIENT_CONFIG_FILE: file,
  })
  const { address } = server
  const admin = await signIn(address, DEMO_ACCOUNTS.admin, { onSystem: true })
  const hosts = openstack.world.hosts.map(({ living }) => living.spec())
  const joinToken = await makeJoinToken(address, hosts.length, admin)
  await reportHosts({ url: address, folder, hosts, joinToken })
  const tenant = await signIn(address, DEMO_ACCOUNTS.tenant, { onSystem: false })
  const catalog = () => textOf(address, apiPaths.catalog(), tenant)
  const read = await until('the catalog', catalog, (text) => text.includes('"availability":"free"'))
  const agent = new Agent({ keepAlive: true })
  const cookies = { tenant: tenant.cookie, admin: admin.cookie }
  return {
    ask: (where, who) => ask(new URL(where, address), { agent, headers: { cookie: cookies[who] } }),
    catalog: async () => (await catalog()) ?? read,
    stop: async () => {
      agent.destroy()
      await server.stop()
      await openstack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
