import * as z from 'zod/mini'
import { HEADROOM_STATES } from '../choices'
import { pageShape } from './page'

export const plainNameSchema = z.enum(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'])

/** MEMORY_MB in MiB, DISK_GB in GiB. */
export const plainAmountsSchema = z.object({
  VCPU: z.int(),
  PCPU: z.int(),
  MEMORY_MB: z.int(),
  DISK_GB: z.int(),
})
export type PlainAmountsDto = z.infer<typeof plainAmountsSchema>

/** One class of a compute node; used may be more than the capacity. */
export const headroomLineSchema = z.object({
  name: plainNameSchema,
  capacity: z.int(),
  used: z.int(),
  free: z.int(),
  /** What one server may take at most; left out where that is all of the capacity or not known. */
  max: z.optional(z.int()),
})

export const headroomStateSchema = z.enum(HEADROOM_STATES)
export type HeadroomStateDto = z.infer<typeof headroomStateSchema>

const headroomFlavorSchema = z.object({
  id: z.string(),
  name: z.string(),
  needs: plainAmountsSchema,
  /** Servers that the free GPUs would take, and those that CPU, memory and disk would. */
  byGpus: z.int(),
  byHeadroom: z.int(),
  short: z.array(plainNameSchema),
  /** The NUMA nodes one by one take fewer than the host as a whole would. */
  isNodeShort: z.boolean(),
  /** Why its servers may not be scheduled here, independent of free capacity; null: they may. `byHeadroom` is 0 then. */
  shutOut: z.nullable(z.string()),
})

const headroomNodeSchema = z.object({
  id: z.int(),
  cpus: z.string(),
  /** CPUs for ordinary and for pinned servers by nova.conf; null: nova.conf could not be read. */
  shared: z.nullable(z.int()),
  dedicated: z.nullable(z.int()),
  /** What servers that are bound to nodes leave; null: not known. */
  dedicatedFree: z.nullable(z.int()),
  memoryMib: z.nullable(z.int()),
  memoryFreeMib: z.nullable(z.int()),
  /** GPUs on the node, and those of them of which something is free; null: not known. */
  gpus: z.int(),
  freeGpus: z.nullable(z.int()),
})

const gpuHeadroomSchema = z.object({
  host: z.string(),
  state: headroomStateSchema,
  because: z.string(),
  /** Since when the state is a finding; null: it is none. */
  since: z.nullable(z.string()),
  freeVgpus: z.nullable(z.int()),
  freeCards: z.nullable(z.int()),
  lines: z.array(headroomLineSchema),
  /** Of one host all GPU flavors for its cards; in a list only those of which most servers fit. */
  flavors: z.array(headroomFlavorSchema),
  ordinary: z.nullable(z.object({ name: z.string(), needs: plainAmountsSchema, count: z.int() })),
  /** Null: the agent does not tell. */
  nodes: z.nullable(z.array(headroomNodeSchema)),
  /** CPU and memory options of nova.conf; null: it could not be read. */
  options: z.nullable(
    z.object({
      shared: z.nullable(z.string()),
      dedicated: z.nullable(z.string()),
      pinSet: z.nullable(z.string()),
      reservedCpus: z.nullable(z.int()),
      reservedMemoryMib: z.nullable(z.int()),
    }),
  ),
  /** Why what is free of the nodes is not known; null: it is. */
  nodeGap: z.nullable(z.string()),
  aggregates: z.array(z.string()),
})
export type GpuHeadroomDto = z.infer<typeof gpuHeadroomSchema>

/** Headroom for GPU servers by host, and the values of the calculator. */
export const gpuHeadroomListSchema = z.object({
  cloud: z.string(),
  /** When Placement's values were read; null: never. */
  readAt: z.nullable(z.string()),
  /** The most urgent first. */
  hosts: z.array(gpuHeadroomSchema),
  ...pageShape,
  /** GPU hosts of the cloud by state, without a filter. */
  states: z.array(z.object({ state: headroomStateSchema, count: z.int() })),
  /** Aggregates with GPU hosts. */
  aggregates: z.array(z.string()),
  /** The hosts that `on` names: their number, the host if it is one, and what is free on them together. */
  selection: z.object({ hosts: z.int(), host: z.nullable(z.string()), free: plainAmountsSchema }),
  /** Usable flavors that give GPUs. */
  flavors: z.array(z.object({ id: z.string(), name: z.string(), needs: plainAmountsSchema })),
})
export type GpuHeadroomList = z.infer<typeof gpuHeadroomListSchema>
