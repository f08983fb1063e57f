import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { hostFacts } from '@/lib/domain/testing/build-cloud'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { parseReport } from '@/lib/services/report/parse-report'
import type { Edges } from './attack'
import { type Failures, serveFacts } from './serve-facts'

type HostileReading = {
  /** What came through the edges; hosts whose report was refused are as they were. */
  input: FleetFacts
  /** Error messages for rejected reports and answers. */
  refusals: string[]
}

export type CloudServer = {
  config: CloudConfig
  /** What the services answer from now on. */
  serve: (input: FleetFacts) => void
  /** Serves a cloud and reads it; services with a failure answer nothing else. */
  read: (input: FleetFacts, failing?: Failures) => Promise<HostileReading>
  stop: () => Promise<void>
}

/** Through the door of the agents' API: the report as the console takes it, or its sentence. */
const takeReport = (edges: Edges, inventory: Inventory): Report | string => {
  const sent = edges.report({
    contractVersion: CONTRACT_VERSION,
    agentVersion: '1.0.0',
    position: { boot: 1, sequence: 1 },
    takenAt: '2026-11-21T09:59:50.000Z',
    digest: '',
    droppedReports: 0,
    inventory,
  })
  try {
    // An attacker computes the digest of what the console makes of its texts.
    const cleaned = inventorySchema.safeParse(sent.inventory).data ?? sent.inventory
    const report = { ...sent, digest: inventoryDigest(cleaned) }
    return parseReport(Buffer.from(JSON.stringify(report)))
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

/** One server for all clouds of a test; each reading starts from the beginning. */
export const serveClouds = async (edges: Edges): Promise<CloudServer> => {
  let facts: CloudFacts | null = null
  let failures: Failures = {}
  const served = await serveFacts({
    facts: () => {
      if (facts === null) throw new Error('no cloud is served')
      return facts
    },
    failures: () => failures,
    edit: edges.answer,
  })
  const serve = (input: FleetFacts) => {
    facts = input.facts
  }
  return {
    config: served.config,
    serve,
    stop: served.stop,
    read: async (input, failing = {}) => {
      serve(input)
      failures = failing
      const refusals: string[] = []
      const hosts = input.hosts.map((host) => {
        const taken = takeReport(edges, host.inventory)
        if (typeof taken !== 'string') return hostFacts(taken.inventory, { agentVersion: taken.agentVersion })
        refusals.push(taken)
        return host
      })
      const account = createServiceAccount({ ...served.config, requestsPerSecond: 100_000 })
      try {
        const round = await createCloudReader({ account }).readRound({
          previous: null,
          now: new Date(input.now),
          gpuHosts: hosts.map(({ name }) => name),
        })
        const parts = Object.values(round.facts).filter((part) => typeof part === 'object' && part !== null)
        refusals.push(
          ...parts.flatMap((part) => ('error' in part && part.error !== null ? [part.error] : [])),
        )
        return { input: { ...input, facts: round.facts, hosts }, refusals: [...refusals, ...round.notes] }
      } finally {
        failures = {}
        await account.close()
      }
    },
  }
}
