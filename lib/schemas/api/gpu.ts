import * as z from 'zod/mini'
import { FRAMEWORKS } from '../frameworks'
import { SEVERITIES } from '../severity'

const severity = z.enum(SEVERITIES)
const known = z.object({ value: z.nullable(z.int()), reason: z.nullable(z.string()) })

export const findingSchema = z.object({
  code: z.string(),
  severity,
  sentence: z.string(),
  detail: z.string(),
})
export type FindingDto = z.infer<typeof findingSchema>

export const occupantSchema = z.object({
  guestUuid: z.string(),
  guestName: z.string(),
  guestState: z.string(),
  serverName: z.nullable(z.string()),
  flavorName: z.nullable(z.string()),
  projectId: z.nullable(z.string()),
  projectName: z.nullable(z.string()),
  userName: z.nullable(z.string()),
})

const cellSchema = z.object({
  kind: z.enum(['used', 'spare', 'orphan', 'unknown', 'free', 'locked']),
  mdevUuid: z.nullable(z.string()),
  address: z.nullable(z.string()),
  typeId: z.nullable(z.string()),
  typeName: z.nullable(z.string()),
  occupant: z.nullable(occupantSchema),
})
export type CellDto = z.infer<typeof cellSchema>

/** Cells of all pGPUs of one host: what the bars' hover and keyboard texts need. */
export const hostCellsSchema = z.object({
  host: z.string(),
  pgpus: z.array(z.object({ address: z.string(), cells: z.array(cellSchema) })),
})
export type HostCells = z.infer<typeof hostCellsSchema>

const typeFactsSchema = z.object({
  typeId: z.string(),
  name: z.nullable(z.string()),
  shortName: z.string(),
  framebufferMib: z.nullable(z.int()),
  heads: z.nullable(z.int()),
  maxResolution: z.nullable(z.string()),
  frameRateLimit: z.nullable(z.int()),
  maxInstance: z.nullable(z.int()),
  isMigBacked: z.boolean(),
})

/** A pGPU with everything that its host reports about it. */
export const gpuDetailSchema = z.object({
  cloud: z.string(),
  host: z.string(),
  /** The console's clock: last report or heartbeat of the host; null before the first. */
  seenAt: z.nullable(z.string()),
  /** The host's clock when the facts were read. */
  takenAt: z.nullable(z.string()),
  isSilent: z.boolean(),
  address: z.string(),
  vendorId: z.nullable(z.string()),
  deviceId: z.nullable(z.string()),
  subsystemId: z.nullable(z.string()),
  model: z.string(),
  framework: z.enum(FRAMEWORKS),
  isMigBacked: z.boolean(),
  driver: z.nullable(z.string()),
  driverVersion: z.nullable(z.string()),
  numaNode: z.nullable(z.int()),
  iommuGroup: z.nullable(z.int()),
  iommuGroupMembers: z.array(z.string()),
  iommu: z.object({
    /** Null: the drivers of the members are not reported. */
    members: z.nullable(
      z.array(
        z.object({
          address: z.string(),
          kind: z.nullable(z.string()),
          pciId: z.nullable(z.string()),
          driver: z.nullable(z.string()),
          isInTheWay: z.boolean(),
        }),
      ),
    ),
    isolation: z.object({ value: z.nullable(z.boolean()), reason: z.nullable(z.string()) }),
  }),
  framebufferMib: z.nullable(z.int()),
  configuredType: z.nullable(z.object({ typeId: z.string(), source: z.string() })),
  /** The [pci] device_spec that hands the pGPU out whole, and the aliases of the same nova.conf that take it. */
  handedOutBy: z.nullable(
    z.object({
      text: z.string(),
      source: z.string(),
      aliases: z.array(z.object({ name: z.string(), source: z.string() })),
    }),
  ),
  /** Entries of [pci] device_spec that cover the pGPU or its VFs. */
  deviceSpecs: z.array(z.object({ text: z.string(), source: z.string(), functions: z.array(z.string()) })),
  currentType: z.nullable(typeFactsSchema),
  supportedTypes: z.nullable(
    z.array(
      z.extend(typeFactsSchema, {
        creatable: z.nullable(z.int()),
        limitReason: z.nullable(z.string()),
        isFromStore: z.boolean(),
      }),
    ),
  ),
  /** GPU instances of a card in MIG mode; null: MIG mode is off, or they could not be read. */
  mig: z.nullable(
    z.object({
      groups: z.array(
        z.object({
          /** Several where the driver does not report which of them a vGPU uses. */
          ids: z.array(z.int()),
          profile: z.string(),
          vgpus: z.array(cellSchema),
          /** How many more vGPUs of each type fit; types of which none fits are left out. Null: unknown. */
          fits: z.nullable(z.array(z.object({ shortName: z.string(), count: z.int() }))),
        }),
      ),
      /** vGPUs whose instance and profile are unknown. */
      unplacedVgpus: z.int(),
    }),
  ),
  numbers: z.object({
    capacity: known,
    used: known,
    spare: known,
    orphan: known,
    returning: known,
    creatable: known,
  }),
  cells: z.array(cellSchema),
  /** Null: the mdevs of the host could not be read. */
  mdevs: z.nullable(
    z.array(
      z.object({
        uuid: z.string(),
        parent: z.string(),
        typeId: z.nullable(z.string()),
        typeName: z.nullable(z.string()),
        isActive: z.boolean(),
        /** Null: the definitions could not be read. */
        isDefined: z.nullable(z.boolean()),
        isAutostart: z.nullable(z.boolean()),
        state: z.enum(['used', 'spare', 'orphan', 'returning', 'defined', 'unknown']),
        occupant: z.nullable(occupantSchema),
      }),
    ),
  ),
  virtualFunctions: z.array(
    z.object({
      address: z.string(),
      driver: z.nullable(z.string()),
      currentType: z.nullable(z.int()),
      mdevUuids: z.array(z.string()),
    }),
  ),
  findings: z.array(findingSchema),
  rawFacts: z.array(z.object({ label: z.string(), value: z.string(), source: z.string() })),
})
export type GpuDetail = z.infer<typeof gpuDetailSchema>
