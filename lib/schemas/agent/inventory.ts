import * as z from 'zod'
import {
  hostNameSchema,
  hostPathSchema,
  hostTextSchema,
  pciAddressSchema,
  pciIdSchema,
  uuidSchema,
} from './primitives'

const count = z.int().min(0).max(1_000_000)
const text = hostTextSchema
const maybeText = hostTextSchema.nullable()

/**
 * One vGPU type as the driver words it; each distinct wording stands once per inventory and is referred to by its
 * place in `vgpuTypes`. `description` is the driver's text as it stands (several lines for Intel GVT-g).
 * Source: kernel ABI sysfs-bus-vfio-mdev.
 */
const vgpuTypeSchema = z.strictObject({
  /** sysfs directory name, e.g. `nvidia-222`, `i915-GVTg_V5_4`, `mtty-2`. */
  typeId: z.string().min(1).max(128),
  name: maybeText,
  description: z.string().max(4096).nullable(),
  deviceApi: maybeText,
})

/** [index into `vgpuTypes`, content of `available_instances` or null when it could not be read]. */
const typeAvailabilitySchema = z.tuple([count, count.nullable()])

/** `/sys/bus/pci/devices/<VF>/nvidia/`: NVIDIA's vendor-specific VFIO, the way without mdev. Raw file contents. */
const vendorVfioSchema = z.strictObject({
  /** `current_vgpu_type`: decimal id, 0 = none. */
  currentType: count.nullable(),
  /** Lines of `creatable_vgpu_types` as read, header line included when the driver prints one. */
  creatable: z.array(text).max(512).nullable(),
})

/** A virtual function. `mdevTypes` is null when the VF has no `mdev_supported_types`. */
const virtualFunctionSchema = z.strictObject({
  address: pciAddressSchema,
  driver: maybeText,
  iommuGroup: count.nullable(),
  mdevTypes: z.array(typeAvailabilitySchema).max(512).nullable(),
  vendorVfio: vendorVfioSchema.nullable(),
})

/** Another member of a GPU's IOMMU group, as sysfs shows it. */
const groupDeviceSchema = z.strictObject({
  address: pciAddressSchema,
  /** 6 hex digits of sysfs `class` without 0x. */
  classCode: z
    .string()
    .regex(/^[0-9a-f]{6}$/)
    .nullable(),
  vendorId: pciIdSchema.nullable(),
  deviceId: pciIdSchema.nullable(),
  /** Null: none is bound. */
  driver: maybeText,
})

/** A GPU (PCI class 0300, 0302, 0380 or 1200) that is not itself a VF, or an mdev parent without a PCI device (mtty). */
const gpuDeviceSchema = z.strictObject({
  /** PCI address, or the sysfs name of a virtual parent such as `mtty`. */
  address: z.union([pciAddressSchema, z.string().regex(/^[a-z0-9_-]{1,64}$/)]),
  /** 6 hex digits of sysfs `class` without 0x: `030200`. Null for a virtual parent. */
  classCode: z
    .string()
    .regex(/^[0-9a-f]{6}$/)
    .nullable(),
  vendorId: pciIdSchema.nullable(),
  deviceId: pciIdSchema.nullable(),
  subsystemVendorId: pciIdSchema.nullable(),
  subsystemDeviceId: pciIdSchema.nullable(),
  /** Name by the driver: `/proc/driver/nvidia/gpus/<address>/information` (Model) or nvidia-smi. */
  modelName: maybeText,
  driver: maybeText,
  numaNode: count.nullable(),
  iommuGroup: count.nullable(),
  /** Other members of the IOMMU group, this device left out. */
  iommuGroupMembers: z.array(pciAddressSchema).max(256),
  /** The same members with what drives them. Null: one of them could not be read. Absent from agents that do not look. */
  iommuGroupDevices: z.array(groupDeviceSchema).max(256).nullable().optional(),
  /** SR-IOV of the PF; null when the device has none. */
  sriov: z.strictObject({ totalVfs: count.nullable(), enabledVfs: count.nullable() }).nullable(),
  virtualFunctions: z.array(virtualFunctionSchema).max(256),
  mdevTypes: z.array(typeAvailabilitySchema).max(512).nullable(),
  vendorVfio: vendorVfioSchema.nullable(),
})

/**
 * An mdev that exists in sysfs (`isActive`), is defined in /etc/mdevctl.d (`definition`), or both. The folder is libvirt's: of
 * its container where it runs in one. Where that can't be read a problem names it, and a null definition means nothing.
 */
const mdevSchema = z.strictObject({
  uuid: uuidSchema,
  /** sysfs name of the parent: the GPU, or the VF on SR-IOV cards. */
  parent: z.string().min(1).max(64),
  /** Type id of the live device; null when it has no readable `mdev_type`. */
  typeId: z.string().max(128).nullable(),
  isActive: z.boolean(),
  definition: z
    .strictObject({
      typeId: z.string().max(128).nullable(),
      start: z.enum(['auto', 'manual']),
      path: hostPathSchema,
    })
    .nullable(),
})

/** `<nova:instance>` metadata in the guest XML, namespaces 1.0 and 1.1. */
const novaMetadataSchema = z.strictObject({
  serverName: maybeText,
  flavorName: maybeText,
  projectId: maybeText,
  projectName: maybeText,
  userId: maybeText,
  userName: maybeText,
})

/** A libvirt guest. Only these facts leave the host, never its XML. */
const guestSchema = z.strictObject({
  uuid: uuidSchema,
  /** libvirt's name: `instance-00000004`. */
  name: z.string().min(1).max(255),
  state: z.enum(['running', 'paused', 'shutoff', 'crashed', 'suspended', 'other']),
  /** Where it was read: live (`/run/libvirt/qemu`), persistent (`/etc/libvirt/qemu`). */
  livePath: hostPathSchema.nullable(),
  persistentPath: hostPathSchema.nullable(),
  nova: novaMetadataSchema.nullable(),
  /** mdev hostdevs, and in which XML each stands. */
  mdevs: z
    .array(z.strictObject({ uuid: uuidSchema, isLive: z.boolean(), isPersistent: z.boolean() }))
    .max(64),
  /** PCI hostdevs. */
  pciDevices: z
    .array(z.strictObject({ address: pciAddressSchema, isLive: z.boolean(), isPersistent: z.boolean() }))
    .max(256),
  /**
   * Of a guest that is bound to NUMA nodes: the host's CPUs that its vCPUs are pinned to, as `0-3,8`, and its memory by node
   * in MiB, of the live XML where it runs. Absent from guests that are not, and from agents that do not look.
   */
  numa: z
    .strictObject({
      cpus: z.string().max(1024),
      memory: z.array(z.strictObject({ node: count, memoryMib: z.int().min(0).max(1e12) })).max(256),
    })
    .optional(),
})

/** One option of nova.conf as it stands; the list keeps oslo.config's order, so a later one overrides. */
const novaOptionSchema = z.strictObject({
  section: z.string().max(255),
  name: z.string().max(255),
  value: z.string().max(16_384),
  file: hostPathSchema,
  line: count,
})

const novaConfigSchema = z.strictObject({
  deployment: z.enum(['package', 'kolla', 'openstack-helm', 'tripleo', 'rhoso', 'snap', 'given']),
  /** Files in the order in which oslo.config reads them. */
  files: z.array(hostPathSchema).max(512),
  options: z.array(novaOptionSchema).max(4096),
  /**
   * The drop-in that the console may have written here, there or not: how many other files nova-compute reads before it;
   * null: it does not read that folder. Absent where the host does not allow it, and from agents that do not look.
   */
  dropIn: z.strictObject({ path: hostPathSchema, place: count.nullable() }).optional(),
  /**
   * `*.yaml` of `[compute] provider_config_location`, which nova-compute has read at its start; empty when the folder is not
   * there, null when it could not be listed, `text` null when a file could not be read. Absent where nova-compute runs in a
   * container, whose folder the host does not show, and from agents that do not look.
   */
  providerConfig: z
    .strictObject({
      folder: hostPathSchema,
      files: z
        .array(z.strictObject({ name: z.string().min(1).max(255), text: z.string().max(131_072).nullable() }))
        .max(64),
    })
    .nullable()
    .optional(),
})

/** What `nvidia-smi -q` and `nvidia-smi vgpu -q` say, addresses canonical. Only facts that stand still between changes. */
const nvidiaSmiSchema = z.strictObject({
  driverVersion: maybeText,
  gpus: z
    .array(
      z.strictObject({
        address: pciAddressSchema,
        name: maybeText,
        uuid: maybeText,
        framebufferMib: count.nullable(),
        migMode: z.enum(['enabled', 'disabled']).nullable(),
        /**
         * `nvidia-smi mig -lgi`: GPU instances with the profile that made them, `1g.5gb`, `1g.10gb+me`. Null where MIG mode is
         * off or nobody could ask; absent from agents that do not ask.
         */
        gpuInstances: z
          .array(z.strictObject({ id: count, profile: text }))
          .max(64)
          .nullable()
          .optional(),
        /** `vGPU Heterogeneous Mode`: mixed sizes on one GPU. */
        heterogeneousMode: z.enum(['enabled', 'disabled']).nullable(),
        vgpus: z
          .array(
            z.strictObject({
              vgpuId: text,
              guestUuid: uuidSchema.nullable(),
              guestName: maybeText,
              typeName: maybeText,
              mdevUuid: uuidSchema.nullable(),
              licenseStatus: maybeText,
              /** `550.54.15`; absent from agents that do not ask. */
              guestDriverVersion: maybeText.optional(),
            }),
          )
          .max(256),
      }),
    )
    .max(256),
})

/** Something that could not be read; the rest of the scan stands. */
const problemSchema = z.strictObject({
  /** Path or command. */
  source: z.string().max(1024),
  code: z.enum([
    'vanished',
    'permission',
    'dangling',
    'malformed',
    'refused',
    'incomplete',
    'command-failed',
    'too-large',
    'odd-name',
    'io',
  ]),
  message: z.string().max(1024),
})

/**
 * Everything that one scan of a host found. The agent reads and does not judge: absent and unreadable are null, an
 * empty list means that there was nothing to list.
 */
export const inventorySchema = z.strictObject({
  host: z.strictObject({
    name: hostNameSchema,
    osName: maybeText,
    kernel: maybeText,
    libvirtVersion: maybeText,
    qemuVersion: maybeText,
    nvidiaDriverVersion: maybeText,
    numaNodes: z
      .array(z.strictObject({ id: count, cpus: text, memoryMib: z.int().min(0).max(1e12).nullable() }))
      .max(256)
      .nullable(),
    /** Names of commands that agent.toml allows, sorted; absent from agents that know no commands, and from `scan`. */
    allowedCommands: z
      .array(z.string().regex(/^[a-z][a-z-]{0,63}$/))
      .max(32)
      .optional(),
    /** nova-compute's process, null when none is found; ISO 8601 UTC. Absent from agents that do not look. */
    novaCompute: z.strictObject({ startedAt: z.iso.datetime() }).nullable().optional(),
    /**
     * Nova's API runs here: `[pci] alias` of its nova.conf, which decides what flavors may ask for, `[quota]` and `[oslo_limit]`,
     * which decide whose limits hold. Older agents send the aliases alone. Null: it does not, or its
     * nova.conf could not be read (a problem says so). Absent from agents that do not look.
     */
    novaApi: novaConfigSchema.omit({ dropIn: true, providerConfig: true }).nullable().optional(),
  }),
  vgpuTypes: z.array(vgpuTypeSchema).max(4096),
  gpus: z.array(gpuDeviceSchema).max(256),
  mdevs: z.array(mdevSchema).max(8192).nullable(),
  guests: z.array(guestSchema).max(8192).nullable(),
  novaConfig: novaConfigSchema.nullable(),
  nvidiaSmi: nvidiaSmiSchema.nullable(),
  problems: z.array(problemSchema).max(1024),
})

export type Inventory = z.infer<typeof inventorySchema>
export type GpuDevice = z.infer<typeof gpuDeviceSchema>
export type GroupDevice = z.infer<typeof groupDeviceSchema>
export type VirtualFunction = z.infer<typeof virtualFunctionSchema>
export type VendorVfio = z.infer<typeof vendorVfioSchema>
export type VgpuType = z.infer<typeof vgpuTypeSchema>
export type TypeAvailability = z.infer<typeof typeAvailabilitySchema>
export type Mdev = z.infer<typeof mdevSchema>
export type Guest = z.infer<typeof guestSchema>
export type NovaMetadata = z.infer<typeof novaMetadataSchema>
export type NovaOption = z.infer<typeof novaOptionSchema>
export type NovaConfig = z.infer<typeof novaConfigSchema>
export type NvidiaSmi = z.infer<typeof nvidiaSmiSchema>
export type Problem = z.infer<typeof problemSchema>
