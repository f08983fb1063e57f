import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Framework } from '@/lib/schemas/frameworks'
import type { Severity } from '@/lib/schemas/severity'
import type { IommuGroup } from './iommu-group'

/**
 * The content of a vGPU slot of a pGPU, in the order in which a bar draws them. `unknown`: the host did not report
 * enough, e.g. a vGPU exists while the guests could not be read. `locked`: cannot be created now.
 */
export const CELL_KINDS = ['used', 'spare', 'orphan', 'unknown', 'free', 'locked'] as const
export type CellKind = (typeof CELL_KINDS)[number]

export type SupportedType = TypeFacts & {
  /** How many more could be made now on this pGPU; null when unknown. */
  creatable: number | null
  /** Why `creatable` is less than `maxInstance`, in one short sentence; null when it is not. */
  limitReason: string | null
  /** Some of its words come from what the console has stored of this type, not from this host. */
  isFromStore: boolean
}

/** A guest with the host's names. `serverName` comes from Nova's metadata. */
export type Occupant = {
  guestUuid: string
  guestName: string
  guestState: string
  serverName: string | null
  flavorName: string | null
  projectId: string | null
  projectName: string | null
  userName: string | null
}

/** Read-only, since equal ones may be one object. */
export type Cell = Readonly<{
  kind: CellKind
  mdevUuid: string | null
  /** VF or pGPU address that carries it. */
  address: string | null
  typeId: string | null
  typeName: string | null
  occupant: Occupant | null
}>

/** GPU instances of one profile. */
export type GpuInstanceGroup = {
  /** Several where the driver does not report which of them a vGPU uses. */
  ids: number[]
  /** As `nvidia-smi mig -lgi` lists it: `1g.5gb`. */
  profile: string
  vgpus: Cell[]
  /** How many more vGPUs of each type these instances can hold; types of which none fits are left out. Null: unknown. */
  fits: { shortName: string; count: number }[] | null
}
export type MigLayout = {
  groups: GpuInstanceGroup[]
  /** vGPUs whose instance and profile are unknown. */
  unplacedVgpus: number
}

/**
 * One number of a pGPU: null is unknown, and then `reason` has one short sentence. Read-only, since equal ones may be one
 * object.
 */
export type Known = Readonly<{ value: number; reason: null } | { value: null; reason: string }>

export type PgpuNumbers = {
  capacity: Known
  used: Known
  spare: Known
  orphan: Known
  returning: Known
  creatable: Known
}

/** Detected on the host's own facts. `severity` orders findings; the most urgent is shown in the list's row. */
export type HostFinding = {
  code: string
  severity: Severity
  /** Short sentence for a table row. */
  sentence: string
  /** What it means and what to do next. */
  detail: string
}

/** A file on the host and its content. */
export type RawFact = { label: string; value: string; source: string }

/** What nova.conf sets for a pGPU in passthrough. */
export type HandedOutBy = {
  /** The first `device_spec` that names it, as Nova takes it. */
  text: string
  source: string
  /** Aliases of the same nova.conf that would take it. */
  aliases: { name: string; source: string }[]
}

/** An entry of `[pci] device_spec` with the functions of one card that it covers. */
export type DeviceSpecLine = { text: string; source: string; functions: string[] }

/** A physical GPU as one host's facts describe it. */
export type Pgpu = {
  address: string
  vendorId: string | null
  deviceId: string | null
  /** Product id of its VFs; absent: not reported. */
  vfDeviceId?: string | null | undefined
  subsystemId: string | null
  model: string
  framework: Framework
  isMigBacked: boolean
  driver: string | null
  numaNode: number | null
  iommuGroup: number | null
  iommuGroupMembers: string[]
  iommu: IommuGroup
  framebufferMib: number | null
  /** The type that nova.conf names for this pGPU, as written there. */
  configuredType: { typeId: string; source: string } | null
  /** Null: no `device_spec` names the pGPU itself, or nova.conf could not be read. */
  handedOutBy: HandedOutBy | null
  /** Entries of `device_spec` that cover the pGPU or its VFs; also empty if nova.conf could not be read. */
  deviceSpecs: DeviceSpecLine[]
  /** Type of the existing vGPUs, else the configured one when the card supports it. */
  currentType: TypeFacts | null
  supportedTypes: SupportedType[] | null
  /** Null: MIG mode is off, the instances could not be read, or details were not requested. */
  mig: MigLayout | null
  numbers: PgpuNumbers
  /** As many cells as the capacity of the current type; more when orphans of another size take room. Empty: unknown. */
  cells: Cell[]
  virtualFunctions: {
    address: string
    driver: string | null
    currentType: number | null
    mdevUuids: string[]
  }[]
  findings: HostFinding[]
  rawFacts: RawFact[]
}
