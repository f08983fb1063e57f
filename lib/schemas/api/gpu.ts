import * as z from 'zod'

const severity = z.enum(['error', 'warning', 'info'])
const known = z.object({ value: z.int().nullable(), reason: z.string().nullable() })

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
  serverName: z.string().nullable(),
  flavorName: z.string().nullable(),
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  userName: z.string().nullable(),
})

export const cellSchema = z.object({
  kind: z.enum(['used', 'spare', 'orphan', 'unknown', 'free', 'locked']),
  mdevUuid: z.string().nullable(),
  address: z.string().nullable(),
  typeId: z.string().nullable(),
  typeName: z.string().nullable(),
  occupant: occupantSchema.nullable(),
})
export type CellDto = z.infer<typeof cellSchema>

/** Cells of all pGPUs of one host: what the bars' hover and keyboard texts need. */
export const hostCellsSchema = z.object({
  host: z.string(),
  pgpus: z.array(z.object({ address: z.string(), cells: z.array(cellSchema) })),
})
export type HostCells = z.infer<typeof hostCellsSchema>

export const typeFactsSchema = z.object({
  typeId: z.string(),
  name: z.string().nullable(),
  shortName: z.string(),
  framebufferMib: z.int().nullable(),
  heads: z.int().nullable(),
  maxResolution: z.string().nullable(),
  frameRateLimit: z.int().nullable(),
  maxInstance: z.int().nullable(),
  isMigBacked: z.boolean(),
})

/** A pGPU with everything that its host says of it. */
export const gpuDetailSchema = z.object({
  cloud: z.string(),
  host: z.string(),
  /** The console's clock: last report or heartbeat of the host; null before the first. */
  seenAt: z.string().nullable(),
  /** The host's clock when the facts were read. */
  takenAt: z.string().nullable(),
  isSilent: z.boolean(),
  address: z.string(),
  vendorId: z.string().nullable(),
  deviceId: z.string().nullable(),
  subsystemId: z.string().nullable(),
  model: z.string(),
  framework: z.enum(['mdev', 'mdev-sriov', 'vendor-vfio', 'passthrough', 'none']),
  isMigBacked: z.boolean(),
  driver: z.string().nullable(),
  driverVersion: z.string().nullable(),
  numaNode: z.int().nullable(),
  iommuGroup: z.int().nullable(),
  iommuGroupMembers: z.array(z.string()),
  framebufferMib: z.int().nullable(),
  configuredType: z.object({ typeId: z.string(), source: z.string() }).nullable(),
  currentType: typeFactsSchema.nullable(),
  supportedTypes: z
    .array(typeFactsSchema.extend({ creatable: z.int().nullable(), limitReason: z.string().nullable() }))
    .nullable(),
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
  mdevs: z
    .array(
      z.object({
        uuid: z.string(),
        parent: z.string(),
        typeId: z.string().nullable(),
        typeName: z.string().nullable(),
        isActive: z.boolean(),
        isDefined: z.boolean(),
        isAutostart: z.boolean(),
        state: z.enum(['used', 'spare', 'orphan', 'returning', 'defined', 'unknown']),
        occupant: occupantSchema.nullable(),
      }),
    )
    .nullable(),
  virtualFunctions: z.array(
    z.object({
      address: z.string(),
      driver: z.string().nullable(),
      currentType: z.int().nullable(),
      mdevUuids: z.array(z.string()),
    }),
  ),
  findings: z.array(findingSchema),
  rawFacts: z.array(z.object({ label: z.string(), value: z.string(), source: z.string() })),
})
export type GpuDetail = z.infer<typeof gpuDetailSchema>
