import * as z from 'zod'
import { findingSchema, gpuDetailSchema, occupantSchema } from './gpu'

export const hostSummarySchema = z.object({
  name: z.string(),
  gpuCount: z.int(),
  models: z.array(z.string()),
  capacity: z.int().nullable(),
  used: z.int().nullable(),
  /** Null: guests could not be read. */
  guestCount: z.int().nullable(),
  problemCount: z.int(),
  agentVersion: z.string().nullable(),
  driverVersion: z.string().nullable(),
  libvirtVersion: z.string().nullable(),
  deployment: z.string().nullable(),
  seenAt: z.string().nullable(),
  isSilent: z.boolean(),
})
export type HostSummary = z.infer<typeof hostSummarySchema>

export const hostListSchema = z.object({ cloud: z.string(), hosts: z.array(hostSummarySchema) })
export type HostList = z.infer<typeof hostListSchema>

/** One host with its pGPUs, guests, problems and the options of nova.conf that matter. */
export const hostDetailSchema = z.object({
  cloud: z.string(),
  name: z.string(),
  seenAt: z.string().nullable(),
  reportedAt: z.string().nullable(),
  takenAt: z.string().nullable(),
  isSilent: z.boolean(),
  osName: z.string().nullable(),
  kernel: z.string().nullable(),
  libvirtVersion: z.string().nullable(),
  qemuVersion: z.string().nullable(),
  driverVersion: z.string().nullable(),
  agentVersion: z.string().nullable(),
  droppedReports: z.int(),
  numaNodes: z.array(z.object({ id: z.int(), cpus: z.string(), memoryMib: z.int().nullable() })).nullable(),
  pgpus: z.array(
    gpuDetailSchema.pick({
      address: true,
      model: true,
      framework: true,
      isMigBacked: true,
      numaNode: true,
      currentType: true,
      numbers: true,
      cells: true,
      findings: true,
    }),
  ),
  /** Null: no guest definition could be read. */
  guests: z.array(occupantSchema.extend({ gpus: z.array(z.string()) })).nullable(),
  problems: z.array(z.object({ source: z.string(), code: z.string(), message: z.string() })),
  findings: z.array(findingSchema),
  novaConfig: z
    .object({
      deployment: z.string(),
      files: z.array(z.string()),
      options: z.array(
        z.object({
          section: z.string(),
          name: z.string(),
          value: z.string(),
          file: z.string(),
          line: z.int(),
          /** A later line sets the same single-valued option. */
          isOverridden: z.boolean(),
          /** The present name, when this is an old one. */
          presentName: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
})
export type HostDetail = z.infer<typeof hostDetailSchema>
