import { afterAll, beforeAll } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { configOf } from '@/lib/openstack/testing/suite/target'
import type { CommandName } from '@/lib/schemas/agent/command'
import { inventorySchema } from '@/lib/schemas/agent/inventory'
import { type Actor, LOCAL_ADMIN } from '@/lib/server/context/service-context'
import { createTestContext } from '@/lib/server/testing/test-database'
import { type CloudReading, createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { listFindings } from '@/lib/services/finding/list-findings'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { labHosts, labTarget, loadLabCloud, treeOf } from './lab-cloud'

const AGENT_VERSION = '0.1.0'

/** What is odd about one host's report. */
type Oddity = {
  /** The host does not report. */
  isSilent?: boolean
  /** Its own clock is ahead by so much. */
  aheadMs?: number
  agentVersion?: string
  /** The name that its agent gives it. */
  hostName?: string
}

const configured = async (isAdmin: boolean): Promise<CloudConfig> => {
  const own = await loadLabCloud()
  if (!isAdmin) return own
  const target = await labTarget()
  return { ...own, auth: configOf(target, target.credentials.admin).auth }
}

/**
 * A console with its own database on the lab, whose hosts allow the commands of `allow`; null: agents that know none.
 * Agents' scans come in through the real ingest, rounds are read with the
 * console's account, and what was seen before counts, as it does in a console that runs for days. `isAdmin`: its account is
 * the lab's admin.
 */
export const createLabConsole = ({
  allow = null,
  isAdmin = false,
}: {
  allow?: readonly CommandName[] | null
  isAdmin?: boolean
} = {}) => {
  const world = createServiceWorld()
  let account: ServiceAccount | null = null
  let reading: CloudReading | null = null
  let cloud = { id: 0, name: '', region: 'RegionOne' }
  let passedMs = 0
  const now = (): Date => new Date(Date.now() + passedMs)
  const context = (actor: Actor = LOCAL_ADMIN) =>
    createTestContext({ database: world.database(), now, actor, accounts: account === null ? [] : [account] })

  beforeAll(async () => {
    cloud = { ...(await world.newCloud()), region: 'RegionOne' }
    account = createServiceAccount({ ...(await configured(isAdmin)), name: cloud.name })
    reading = createCloudReading({
      database: world.database(),
      cloud,
      reader: createCloudReader({ account }),
      log: context().log,
      now,
      silentAfterSeconds: 120,
      staleAfterMs: 600_000,
      agentVersion: AGENT_VERSION,
    })
  })
  afterAll(() => account?.close())

  const report = async (oddities: Readonly<Record<string, Oddity>>): Promise<void> => {
    for (const host of labHosts()) {
      const {
        isSilent = false,
        aheadMs = 0,
        agentVersion = AGENT_VERSION,
        hostName = host,
      } = oddities[host] ?? {}
      if (isSilent) continue
      const scanned = await scanHost({ root: treeOf(host), hostName, allowedCommands: allow ?? undefined })
      const inventory = inventorySchema.parse(scanned)
      const seenAt = now()
      const sentAt = new Date(seenAt.getTime() + aheadMs)
      await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt, sentAt, agentVersion })
    }
  }

  /** Every host reports, then one round is read; the findings that are open after it. */
  const readRound = async (oddities: Readonly<Record<string, Oddity>> = {}) => {
    if (reading === null) throw new Error('the console opens before the first test')
    await report(oddities)
    await reading.readRound()
    const { findings } = await listFindings(context(), { cloud: cloud.name })
    return findings.filter(({ state }) => state !== 'closed')
  }

  return {
    database: world.database,
    context,
    cloud: () => cloud,
    account: () => {
      if (account === null) throw new Error('the console opens before the first test')
      return account
    },
    now,
    /** Every host reports. */
    report: () => report({}),
    /** Advances the console's clock. */
    pass: (ms: number): void => {
      passedMs += ms
    },
    readRound,
    /** Errors and warnings after two rounds: a finding about changing facts opens in the second one. */
    readAlarms: async () => {
      await readRound()
      return (await readRound()).filter(({ severity }) => severity !== 'info')
    },
  }
}
