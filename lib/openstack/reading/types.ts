import type { CloudFacts, ResourceProvider, Server } from '@/lib/domain/cloud/types'
import type { OpenStackServiceName } from '../openstack-error'

/** What one service cost in one round. */
export type RoundCost = {
  /** Glance is read for tenants only. */
  service: Exclude<OpenStackServiceName, 'glance'>
  /** Repeated attempts included. */
  requests: number
  ms: number
  /** The last error of this round; null when all went well. */
  error: string | null
}

export type ReadingRound = {
  facts: CloudFacts
  cost: readonly RoundCost[]
  /** Plain sentences on what made this round dearer or less complete than it could be. */
  notes: readonly string[]
  /** Work that the round's limit left for the next one; 0 when nothing waits. */
  waitingRequests: number
  /** A part waits for requests that did not fit: the next round can follow at once. */
  isUnfinished: boolean
  /** Servers with a fault that came to no host, as of the last rounds: the same one may come again. */
  unplaced: readonly Server[]
}

/** How old a part may become before it is requested again, in seconds. */
export type PartAges = {
  hypervisors: number
  flavors: number
  aggregates: number
  limits: number
  projects: number
  versions: number
  networkAgents: number
}

export type ReadRoundInput = {
  /** Facts of the round before, in which what is not read again stays as it is; null: those of the reader. */
  previous: CloudFacts | null
  now: Date
  /** Hosts (names of nova-compute services) on which an agent found GPUs, in addition to those that Placement shows. */
  gpuHosts?: readonly string[]
}

export type CloudReader = { readRound: (input: ReadRoundInput) => Promise<ReadingRound> }

/** Whether a provider represents a GPU or one of its VFs. */
export type IsGpuProvider = (provider: ResourceProvider) => boolean
