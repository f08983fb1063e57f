import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { describeHost } from '@/lib/domain/host/describe-host'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { CloudSize } from './sizes'
import { type BenchCloud, openCloud } from './world/open-cloud'
import { isSilentHost, SILENT_FOR_MS } from './world/silent-hosts'

const UNLIMITED = 1_000_000
const MAX_ROUNDS = 20

const readFacts = async ({ openstack, hosts }: BenchCloud): Promise<CloudFacts> => {
  const config = testCloudConfig({
    name: 'bench',
    authUrl: openstack.authUrl,
    account: DEMO_ACCOUNTS.service,
    timeoutMs: 120_000,
    requestsPerSecond: UNLIMITED,
  })
  const reader = createCloudReader({ account: createServiceAccount(config), maxRequestsPerRound: UNLIMITED })
  const gpuHosts = hosts.map(({ fleet }) => fleet.spec.name)
  let previous: CloudFacts | null = null
  for (let number = 0; number < MAX_ROUNDS; number += 1) {
    const round = await reader.readRound({ previous, now: new Date(), gpuHosts })
    previous = round.facts
    if (round.waitingRequests === 0 && number > 0) return round.facts
  }
  throw new Error(`The facts are not complete after ${MAX_ROUNDS} rounds.`)
}

/**
 * The input of `joinFleet` for a generated cloud, as the console's own reader gets it from the simulated OpenStack: for profiles
 * and comparisons that need no console.
 */
export const loadFacts = async (size: CloudSize): Promise<FleetFacts> => {
  const cloud = await openCloud(size)
  try {
    const facts = await readFacts(cloud)
    const range = novaRange(facts.versions.nova)
    const nowMs = Date.now()
    const hosts = cloud.hosts.map(({ fleet, inventory }, host): CloudHostFacts => {
      const at = new Date(isSilentHost(host) ? nowMs - SILENT_FOR_MS : nowMs).toISOString()
      return {
        name: fleet.spec.name,
        inventory,
        description: describeHost(inventory, { detail: 'rules', range }),
        takenAt: at,
        seenAt: at,
        isSilent: isSilentHost(host),
        agentVersion: '0.1.0',
        droppedReports: 0,
        problems: inventory.problems,
      }
    })
    return {
      facts,
      hosts,
      now: new Date(nowMs).toISOString(),
      staleAfterMs: 600_000,
      currentAgentVersion: '0.1.0',
      traitMemory: [],
      managedTraits: [],
    }
  } finally {
    await cloud.openstack.stop()
  }
}
