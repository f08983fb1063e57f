import type { HostDescription } from '@/lib/domain/host/types'
import type { PciScheduling } from '@/lib/domain/nova-config/alias-takes'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { EnteredAliases } from './api-aliases'
import type { EnteredDriver } from './known-driver'
import type {
  Allocation,
  CloudFacts,
  ComputeService,
  Hypervisor,
  Migration,
  Project,
  ResourceProvider,
  Server,
} from './types'

/** One host as its agent reported it last. Times are ISO 8601 UTC. */
export type CloudHostFacts = {
  name: string
  inventory: Inventory
  description: HostDescription
  /** The host's clock when the facts were read. */
  takenAt: string
  /** The console's clock: the last report or heartbeat, up to which the facts held. */
  seenAt: string
  isSilent: boolean
  agentVersion: string | null
  /** Reports that the agent had to drop because its spool was full. */
  droppedReports: number
  /** The report's problems and what the console noticed itself (`code: 'clock'`). */
  problems: readonly { source: string; code: string; message: string }[]
}

/** Traits that a provider was last seen with; by host and PCI address, since uuids change when Nova re-creates it. */
export type RememberedTraits = {
  host: string
  address: string
  providerUuid: string
  traits: readonly string[]
  at: string
}

/** A trait that an admin asked to be kept on the provider of a device, by its address: uuids change. */
export type ManagedTrait = {
  host: string
  pgpuAddress: string
  /** Of the provider: the pGPU's own, or that of a VF. */
  address: string
  providerName: string
  trait: string
  /** It is kept while nova.conf gives the device this type. */
  typeId: string
  typeName: string
  /** The provider that was last known to carry it; null: none has yet, Placement had no provider there. */
  providerUuid: string | null
  /** Why the console could not restore it; null: nothing prevents it. */
  problem: string | null
}

/** A host that an admin has to let in. */
export type WaitingEnrollment = {
  host: string
  /** As the log of the agent shows it. */
  code: string
  reason: 'live-credential' | 'removed-host'
  address: string
  joinTokenLabel: string
  /** ISO 8601 UTC. */
  lastAt: string
}

/** Everything that is known of one cloud at one moment: the input of findings, sources and fits. */
export type FleetFacts = {
  facts: CloudFacts
  hosts: readonly CloudHostFacts[]
  /** ISO 8601 UTC; the domain has no clock. */
  now: string
  /** Evidence of a service that is older than this judges nothing. */
  staleAfterMs: number
  /** The version that the console offers for installation; null: unknown, and then no agent counts as outdated. */
  currentAgentVersion: string | null
  traitMemory: readonly RememberedTraits[]
  managedTraits: readonly ManagedTrait[]
  /** What an admin entered about Nova's API; absent or null: nothing. */
  apiAliases?: EnteredAliases | null
  /** The quota driver that an admin entered; absent or null: none. */
  quotaDriver?: EnteredDriver | null
  /** Enrollments that wait for an admin; absent: none. */
  waitingEnrollments?: readonly WaitingEnrollment[]
  /** Names of removed hosts: what Nova and Placement still have of them counts for nothing; absent: none. */
  removedHosts?: readonly string[]
}

/** How an object of one source was found in another. A mismatch is an explicit state. */
export type Match<Value> =
  | { state: 'matched'; value: Value; note: string | null; because: null }
  | { state: 'absent' | 'ambiguous' | 'unknown'; value: null; note: null; because: string }

/** A provider that represents a GPU, or a VF of one. */
export type GpuProvider = { provider: ResourceProvider; kind: 'mdev' | 'pci'; address: string }

/** A pGPU with its providers and those of its VFs, in the order of their addresses. */
export type JoinedPgpu = {
  pgpu: Pgpu
  /** Its own address and those of its VFs. */
  functions: readonly string[]
  providers: readonly GpuProvider[]
}

/** A host with what Nova and Placement call it. */
export type JoinedHost = {
  host: CloudHostFacts
  nova: NovaView | null
  /** How Nova schedules PCI aliases in this cloud; null: not known. */
  pciScheduling: PciScheduling | null
  service: Match<ComputeService>
  hypervisor: Match<Hypervisor>
  root: Match<ResourceProvider>
  pgpus: readonly JoinedPgpu[]
  /** Providers below the root that name a device which the host does not have. */
  strays: readonly GpuProvider[]
  /** Servers that Nova has on this host. */
  servers: readonly Server[]
}

/** A compute node with GPU providers and without a reporting agent. */
export type UnseenHost = { hypervisorHostname: string; providers: readonly GpuProvider[] }

/** The whole cloud, joined and indexed. */
export type Fleet = {
  input: FleetFacts
  hosts: readonly JoinedHost[]
  unseen: readonly UnseenHost[]
  providers: ReadonlyMap<string, ResourceProvider>
  allocationsByProvider: ReadonlyMap<string, readonly Allocation[]>
  allocationsByConsumer: ReadonlyMap<string, readonly Allocation[]>
  servers: ReadonlyMap<string, Server>
  /** By their own uuid, under which they hold allocations. */
  migrations: ReadonlyMap<string, Migration>
  projects: ReadonlyMap<string, Project>
  /** Servers that a migration holds something for. */
  movingServers: ReadonlySet<string>
  /** By `host address`. */
  rememberedTraits: ReadonlyMap<string, RememberedTraits>
  /** By `host address`. */
  managedTraits: ReadonlyMap<string, readonly ManagedTrait[]>
}
