import * as z from 'zod'
import { GPU_MODELS, type GpuModelName } from '@/simulator/gpu-models/gpu-models'

const isModel = (name: string): name is GpuModelName => Object.hasOwn(GPU_MODELS, name)

const ADDRESS = /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/

const cardSchema = z.object({
  model: z.custom<GpuModelName>((name) => typeof name === 'string' && isModel(name), {
    error: `must be one of ${Object.keys(GPU_MODELS).join(', ')}`,
  }),
  address: z.string().regex(ADDRESS),
  numaNode: z.int().min(0).max(1),
  /** Null on cards without SR-IOV, and for all VFs. */
  enabledVfs: z.int().min(0).nullable(),
  /** False: as after a kernel upgrade without NVIDIA's module; nothing is bound to the card. */
  hasDriver: z.boolean().default(true),
  /** True: vfio-pci has the card, for passthrough; without types and virtual functions. */
  isWhole: z.boolean().default(false),
  /** `vendor-vfio`: the VFs have `nvidia/current_vgpu_type`, and libvirt offers the card and its VFs for `[pci] device_spec`. */
  interface: z.enum(['mdev', 'vendor-vfio']).default('mdev'),
  /** Vendor VFIO only: the vGPU type by the VF's address, as set at boot. */
  vfTypes: z.record(z.string().regex(ADDRESS), z.string()).default({}),
})

const hostSchema = z.object({
  cpus: z.int().min(4).multipleOf(4),
  memoryMib: z.int().min(2048),
  diskGib: z.int().min(10),
  cards: z.array(cardSchema),
})

/** The hardware of a lab host as in `host.json`; edited by hand. */
export type LabHost = z.infer<typeof hostSchema>

export const parseLabHost = (text: string): LabHost => {
  const parsed = hostSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`host.json: ${issue?.path.join('.')} ${issue?.message}`)
}
