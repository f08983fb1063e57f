import * as z from 'zod/mini'
import type { GPU_SERVER_LIST } from '../choices'
import { pageShape } from './page'

export type GpuServerSort = (typeof GPU_SERVER_LIST.sorts)[number]
export type GpuServerState = (typeof GPU_SERVER_LIST.states)[number]

const heldGpuSchema = z.object({
  /** Address of the pGPU; null: unknown. */
  address: z.nullable(z.string()),
  /** uuid of the mdev, or address of the VF or of the GPU in passthrough; null: only Placement reports the GPU. */
  device: z.nullable(z.string()),
  kind: z.nullable(z.enum(['vgpu', 'passthrough'])),
  /** Null: passthrough, or unknown. */
  typeId: z.nullable(z.string()),
  typeName: z.nullable(z.string()),
})
export type HeldGpu = z.infer<typeof heldGpuSchema>

const gpuServerSchema = z.object({
  /** Of a guest that is reported without a uuid: its host and name. */
  uuid: z.string(),
  name: z.string(),
  /** Nova’s status; null: Nova’s servers were never read, or Nova has no such server. */
  status: z.nullable(z.string()),
  /** libvirt’s state; null: no host reports the guest. */
  guestState: z.nullable(z.string()),
  projectId: z.nullable(z.string()),
  projectName: z.nullable(z.string()),
  flavorName: z.nullable(z.string()),
  host: z.nullable(z.string()),
  /** `absent`: no agent has reported from the host. */
  hostState: z.enum(['reporting', 'silent', 'absent']),
  /** Last report of a silent host. */
  seenAt: z.nullable(z.string()),
  gpus: z.array(heldGpuSchema),
  /** Why a GPU or a device is unknown; null: all of them are known. */
  unknownReason: z.nullable(z.string()),
  /** Null: Nova has not reported it. */
  createdAt: z.nullable(z.string()),
})
export type GpuServer = z.infer<typeof gpuServerSchema>

export const HOST_GAP_KINDS = ['silent', 'absent', 'unread'] as const

export const gpuServerListSchema = z.object({
  cloud: z.string(),
  /** Hosts with an agent. */
  hostCount: z.int(),
  /** When Nova’s servers were read last; null: never. */
  readAt: z.nullable(z.string()),
  /** Why Nova’s servers are unknown or outdated; null: they are current. */
  novaGap: z.nullable(z.string()),
  /** Hosts whose servers are unknown or outdated. `unread`: not all of their guests could be read. */
  hostGaps: z.array(
    z.object({ kind: z.enum(HOST_GAP_KINDS), count: z.int(), examples: z.array(z.string()) }),
  ),
  servers: z.array(gpuServerSchema),
  /** Of all servers. */
  counts: z.object({ all: z.int(), vgpu: z.int(), passthrough: z.int(), unknown: z.int(), silent: z.int() }),
  ...pageShape,
})
export type GpuServerList = z.infer<typeof gpuServerListSchema>
