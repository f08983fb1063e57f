import path from 'node:path'
import { afterAll } from 'vitest'
import { DEFAULT_CONFIG_FILE, readAgentFile } from '@/agent/commands/run-settings'
import { scanHost } from '@/agent/scan/scan-host'
import type { CloudHostFacts, Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { detectCloudFindings } from '@/lib/domain/findings/cloud/registry'
import { describeHost } from '@/lib/domain/host/describe-host'
import { type NovaRange, novaRange } from '@/lib/domain/nova-config/nova-releases'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { inventorySchema } from '@/lib/schemas/agent/inventory'
import { labHosts, loadLabCloud, treeOf } from './lab-cloud'
import { waitUntil } from './operator'

const AGENT_VERSION = 'lab'

/** The scan of a host with the paths that the agent.toml of its tree sets. */
export const scanInTree = async (host: string) => {
  const { scan } = await readAgentFile(path.join(treeOf(host), DEFAULT_CONFIG_FILE), { isOptional: true })
  return scanHost({ root: treeOf(host), novaConfig: scan?.nova_config, guestXml: scan?.guest_xml })
}

/** One lab host as its agent would report it now, described by the rules of the cloud's release. */
const scanLabHost = async (host: string, range: NovaRange | null): Promise<CloudHostFacts> => {
  const inventory = inventorySchema.parse(await scanInTree(host))
  const now = new Date().toISOString()
  return {
    name: inventory.host.name,
    inventory,
    description: describeHost(inventory, { range }),
    takenAt: now,
    seenAt: now,
    isSilent: false,
    agentVersion: AGENT_VERSION,
    droppedReports: 0,
    problems: inventory.problems,
  }
}

/** One for a test file, as a console has one for its life: a round needs no new token. */
let account: ServiceAccount | null = null
afterAll(async () => {
  await account?.close()
  account = null
})

/** One reading round with the console's own account, of everything. */
const readLabFacts = async (): Promise<CloudFacts> => {
  account ??= createServiceAccount(await loadLabCloud())
  const round = await createCloudReader({ account }).readRound({ previous: null, now: new Date() })
  return round.facts
}

const readLabFleet = async (): Promise<Fleet> => {
  const facts = await readLabFacts()
  const range = novaRange(facts.versions.nova)
  const hosts = await Promise.all(labHosts().map((host) => scanLabHost(host, range)))
  return joinFleet({
    facts,
    hosts,
    now: new Date().toISOString(),
    staleAfterMs: 600_000,
    currentAgentVersion: AGENT_VERSION,
    traitMemory: [],
    managedTraits: [],
  })
}

/** What the console would find now: code and sentence. */
export const findInLab = async () => detectCloudFindings(await readLabFleet())

/** Waits until the console would find nothing but risks: Nova reports repairs to Placement in one of its periods. */
export const becomesCalm = (): Promise<true> => {
  let alarms: string[] = []
  return waitUntil(
    'a lab without findings',
    async () => {
      const { findings } = await findInLab()
      alarms = findings.flatMap(({ severity, key, sentence }) =>
        severity === 'info' ? [] : `${key}: ${sentence}`,
      )
      return alarms.length === 0 ? true : null
    },
    () => alarms.join('; '),
  )
}
