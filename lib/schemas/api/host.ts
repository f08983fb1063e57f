import * as z from 'zod/mini'
import { findingSchema, gpuDetailSchema, occupantSchema } from './gpu'
import { unitTotals } from './totals'

const maybe = z.nullable(z.int())

const hostSummarySchema = z.object({
  name: z.string(),
  gpuCount: z.int(),
  models: z.array(z.string()),
  /** vGPUs, divided as in `lib/schemas/api/totals.ts`; of a host that does not report, the last known numbers. */
  capacity: maybe,
  used: maybe,
  spare: maybe,
  free: maybe,
  blocked: maybe,
  unknown: maybe,
  /** Why capacity or pGPUs are unknown; null: none are. */
  unknownReason: z.nullable(z.string()),
  /** Whole GPUs for PCI passthrough, which are not in the numbers of vGPUs. */
  passthrough: z.object({ capacity: maybe, used: maybe, free: maybe, blocked: maybe, unknown: maybe }),
  /** Capacity of `passthrough`; 0 where it is unknown. */
  wholeCards: z.int(),
  /** Null: guests could not be read. */
  guestCount: z.nullable(z.int()),
  problemCount: z.int(),
  agentVersion: z.nullable(z.string()),
  driverVersion: z.nullable(z.string()),
  libvirtVersion: z.nullable(z.string()),
  deployment: z.nullable(z.string()),
  seenAt: z.nullable(z.string()),
  isSilent: z.boolean(),
})
export type HostSummary = z.infer<typeof hostSummarySchema>

export const hostListSchema = z.object({
  cloud: z.string(),
  /** The position of the numbers, as in `overview`. */
  asOf: z.string(),
  /** Totals of all hosts. */
  ...unitTotals,
  hosts: z.array(hostSummarySchema),
})
export type HostList = z.infer<typeof hostListSchema>

/** Facts of the host, as its agent reports them. `optional` where agents of earlier releases do not report one. */
export const hostFactsSchema = z.object({
  osName: z.nullable(z.string()),
  kernel: z.nullable(z.string()),
  libvirtVersion: z.nullable(z.string()),
  qemuVersion: z.nullable(z.string()),
})

/** One host with its pGPUs, guests, problems and the options of nova.conf that matter. */
export const hostDetailSchema = z.extend(hostFactsSchema, {
  cloud: z.string(),
  name: z.string(),
  seenAt: z.nullable(z.string()),
  reportedAt: z.nullable(z.string()),
  takenAt: z.nullable(z.string()),
  isSilent: z.boolean(),
  /** An agent waits for an admin's approval to enroll as this host. */
  isEnrollmentWaiting: z.boolean(),
  driverVersion: z.nullable(z.string()),
  agentVersion: z.nullable(z.string()),
  /** Its contract is newer than the console's, which leaves out what it does not know. */
  isAgentNewer: z.boolean(),
  droppedReports: z.int(),
  /** Commands that the host's agent.toml allows; null: its agent knows none or does not say. */
  allowedCommands: z.nullable(z.array(z.string())),
  /** When nova-compute was started; null: no process was found. */
  novaComputeStartedAt: z.nullable(z.string()),
  /** Of the package that is installed; null: not reported, or nova-compute runs in a container. */
  novaComputeVersion: z.nullable(z.string()),
  numaNodes: z.nullable(z.array(z.object({ id: z.int(), cpus: z.string(), memoryMib: z.nullable(z.int()) }))),
  pgpus: z.array(
    z.extend(
      z.pick(gpuDetailSchema, {
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
      {
        /**
         * Without a type: the minimum and maximum of vGPUs that its supported types allow; null: not reported, or it has
         * a type.
         */
        typeRange: z.nullable(z.tuple([z.int(), z.int()])),
        /** Free, but out of every flavor's reach, as the last round found; null: not known. Unit: vGPUs. */
        stranded: z.nullable(z.int()),
      },
    ),
  ),
  /** Null: no guest definition could be read. */
  guests: z.nullable(z.array(z.extend(occupantSchema, { gpus: z.array(z.string()) }))),
  problems: z.array(z.object({ source: z.string(), code: z.string(), message: z.string() })),
  findings: z.array(findingSchema),
  novaConfig: z.nullable(
    z.object({
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
          presentName: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})
export type HostDetail = z.infer<typeof hostDetailSchema>
