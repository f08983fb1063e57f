import type { PciLayout } from '@/lib/domain/cloud/pci-layout'
import type { Step } from '../step'
import type { HostLayout } from './host-layout'
import type { RemoveMdevTask } from './remove-mdev-step'

/** A device with the provider that stands for it, by name: Nova re-creates providers under other uuids. */
type NamedProvider = { address: string; name: string }

/** What is expected of a card that is handed out whole. */
export type VerifyWholeTask = {
  kind: 'verify-whole'
  host: string
  address: string
  /** Aliases of the host that take it. */
  aliases: readonly string[]
  /** What Placement is to have; null: Nova does not report PCI devices there. */
  provider: (NamedProvider & { resourceClass: string }) | null
}

type VerifySlicedTask = { kind: 'verify-sliced'; host: string; address: string; driver: string }

/** What a card is once its change is through. */
export type CardTask = VerifyWholeTask | VerifySlicedTask

/** A server that leaves its host, and stays where it went. */
export type MovedServer = { uuid: string; name: string }

/** How a server leaves: `owner`: only its owner or an admin by hand. */
export type WayOut = 'live' | 'cold' | 'owner'

/** What is expected of a pGPU once nova-compute has read its new type. */
export type VerifyTask = {
  kind: 'verify-pgpu'
  host: string
  address: string
  typeId: string
  typeName: string
  resourceClass: string
  /** vGPUs of the type that Placement has to offer in sum. */
  total: number
  /** Name of the compute node in Placement, under which the providers are found. */
  rootName: string
  /** Providers that may carry it. */
  providers: readonly NamedProvider[]
  /** Vendor VFIO: the VFs that carry the type, and whether Placement knows of them. */
  vfio?: { functions: readonly string[]; isInPlacement: boolean }
}

/** A server that is made to see whether one comes up. By its name and metadata a crash finds it again. */
export type TestServer = {
  name: string
  flavorId: string
  flavorName: string
  imageId: string
  networks: 'none' | 'auto'
  /** When the plan was made, ISO 8601 UTC; written into its metadata. */
  plannedAt: string
}

/** Tasks on hosts, their providers and their nova-compute. */
export type HostTask =
  | RemoveMdevTask
  | {
      kind: 'close-service'
      host: string
      service: string
      reason: string
      /** What holds once the host is opened again: by hand, a host that is open then has been closed meanwhile. */
      verify?: readonly VerifyTask[]
      /** The same of whole cards. */
      cards?: readonly CardTask[]
      /** It is closed for these servers to leave and for nothing else. */
      moves?: readonly MovedServer[]
    }
  | {
      kind: 'drain-server'
      host: string
      service: string
      serverUuid: string
      serverName: string
      owner: string
      /** Of its vGPU; empty: it has none and makes room for others. */
      typeName: string
      way: WayOut
      /** Migrations that failed before the plan don't count. ISO 8601 UTC. */
      plannedAt: string
    }
  | {
      kind: 'await-empty'
      host: string
      addresses: readonly string[]
      providers: readonly NamedProvider[]
    }
  | {
      kind: 'await-offer'
      host: string
      addresses: readonly string[]
      typeId: string
      typeName: string
    }
  | {
      kind: 'move-traits'
      host: string
      provider: NamedProvider
      /** `off`: before the type changes; its undo puts the traits back. `on`: after it. */
      direction: 'off' | 'on'
      /** Traits that name the type. */
      traits: readonly string[]
      /** Custom traits of others, which are lost when Nova re-creates the provider. */
      foreign: readonly string[]
    }
  | {
      kind: 'write-config'
      host: string
      before: HostLayout
      after: HostLayout
      /** In the drop-in folder, where the host's agent writes it. */
      file: string
      /** When nova-compute was started, as the plan saw it; null: its agent does not say. */
      startedAt: string | null
    }
  | {
      kind: 'set-vfio-type'
      host: string
      pgpuAddress: string
      /** Of the VF. */
      address: string
      /** Decimal ids as `current_vgpu_type` has them; 0 is none. */
      from: number
      to: number
      fromName: string
      toName: string
    }
  | {
      kind: 'write-pci-config'
      host: string
      before: PciLayout
      after: PciLayout
      /** Content of the console's own file; as text, because jsonb keeps no order of keys. Null: there is none. */
      ownBefore: string | null
      ownAfter: string | null
      /** In the drop-in folder, where the host's agent writes it. */
      file: string
      /** When nova-compute was started, as the plan saw it; null: its agent does not say. */
      startedAt: string | null
    }
  | {
      kind: 'restart-nova'
      host: string
      service: string
      /** `back`: nothing to do on the way there; the restart that a roll back needs once nova.conf is as before. */
      direction: 'on' | 'back'
      startedAt: string | null
      /** What Placement shows when nova-compute has read its configuration. */
      evidence: readonly VerifyTask[]
      /** The totals or classes differ from those of the other type, so that Placement alone tells. */
      isTelling: boolean
    }
  | VerifyTask
  | {
      kind: 'clear-spares'
      host: string
      /** pGPUs. */
      addresses: readonly string[]
      providers: readonly NamedProvider[]
      typeName: string
    }
  | {
      kind: 'test-boot'
      host: string
      service: string
      /** Why the host was closed, and is again when the test fails. */
      reason: string
      test: TestServer
      /** pGPUs of the change. */
      addresses: readonly string[]
      typeId: string
      typeName: string
    }
  | { kind: 'delete-test'; host: string; test: TestServer }
  | { kind: 'remove-stale-provider'; host: string; provider: NamedProvider }
  | {
      kind: 'open-service'
      host: string
      service: string
      reason: string
      verify: readonly VerifyTask[]
      cards?: readonly CardTask[]
      /** These servers have left. */
      moves?: readonly MovedServer[]
    }

export type HostStep = Step<HostTask>
