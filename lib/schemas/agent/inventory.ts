import * as z from 'zod/mini'
import {
  hostNameSchema,
  hostPathSchema,
  hostTextSchema,
  lineSchema,
  linesSchema,
  pciAddressSchema,
  pciIdSchema,
  uuidSchema,
  wordSchema,
} from './primitives'

const count = z.int().check(z.gte(0), z.lte(1_000_000))
const text = hostTextSchema
const maybeText = z.nullable(hostTextSchema)

/**
 * One vGPU type with the driver's text; each distinct one is listed once per inventory and referenced by its index in
 * `vgpuTypes`. `description` is the driver's text unchanged (several lines for Intel GVT-g). Source: kernel ABI
 * sysfs-bus-vfio-mdev.
 */
const vgpuTypeSchema = z.strictObject({
  /** sysfs directory name, e.g. `nvidia-222`, `i915-GVTg_V5_4`, `mtty-2`. */
  typeId: wordSchema('vgpuTypeId'),
  name: maybeText,
  description: z.nullable(linesSchema(4096)),
  deviceApi: maybeText,
})

/** [index into `vgpuTypes`, content of `available_instances` or null when it could not be read]. */
const typeAvailabilitySchema = z.tuple([count, z.nullable(count)])

/** `/sys/bus/pci/devices/<VF>/nvidia/`: NVIDIA's vendor-specific VFIO, the way without mdev. Raw file contents. */
const vendorVfioSchema = z.strictObject({
  /** `current_vgpu_type`: decimal id, 0 = none. */
  currentType: z.nullable(count),
  /** Lines of `creatable_vgpu_types` as read, header line included when the driver prints one. */
  creatable: z.nullable(z.array(text).check(z.maxLength(512))),
  /** `gpu_instance_id`: the MIG instance of the vGPU. Absent where it is `Unset`, and from agents that do not read it. */
  gpuInstanceId: z.optional(count),
  /** `placement_id`, as `gpuInstanceId`. */
  placementId: z.optional(count),
})

/** A virtual function. `mdevTypes` is null when the VF has no `mdev_supported_types`. */
const virtualFunctionSchema = z.strictObject({
  address: pciAddressSchema,
  driver: maybeText,
  iommuGroup: z.nullable(count),
  mdevTypes: z.nullable(z.array(typeAvailabilitySchema).check(z.maxLength(512))),
  vendorVfio: z.nullable(vendorVfioSchema),
})

/** Another member of a GPU's IOMMU group, as sysfs shows it. */
const groupDeviceSchema = z.strictObject({
  address: pciAddressSchema,
  /** 6 hex digits of sysfs `class` without 0x. */
  classCode: z.nullable(z.string().check(z.regex(/^[0-9a-f]{6}$/))),
  vendorId: z.nullable(pciIdSchema),
  deviceId: z.nullable(pciIdSchema),
  /** Null: none is bound. */
  driver: maybeText,
})

/** A GPU (PCI class 0300, 0302, 0380 or 1200) that is not itself a VF, or an mdev parent without a PCI device (mtty). */
export const gpuDeviceSchema = z.strictObject({
  /** PCI address, or the sysfs name of a virtual parent such as `mtty`. */
  address: z.union([pciAddressSchema, z.string().check(z.regex(/^[a-z0-9_-]{1,64}$/))]),
  /** 6 hex digits of sysfs `class` without 0x: `030200`. Null for a virtual parent. */
  classCode: z.nullable(z.string().check(z.regex(/^[0-9a-f]{6}$/))),
  vendorId: z.nullable(pciIdSchema),
  deviceId: z.nullable(pciIdSchema),
  subsystemVendorId: z.nullable(pciIdSchema),
  subsystemDeviceId: z.nullable(pciIdSchema),
  /** Name by the driver: `/proc/driver/nvidia/gpus/<address>/information` (Model) or nvidia-smi. */
  modelName: maybeText,
  driver: maybeText,
  numaNode: z.nullable(count),
  iommuGroup: z.nullable(count),
  /** Other members of the IOMMU group, this device left out. */
  iommuGroupMembers: z.array(pciAddressSchema).check(z.maxLength(256)),
  /** The same members with what drives them. Null: one of them could not be read. Absent from agents that do not look. */
  iommuGroupDevices: z.optional(z.nullable(z.array(groupDeviceSchema).check(z.maxLength(256)))),
  /** sysfs `device` of its VFs, which all have the same; null: it could not be read. Absent without VFs, and from agents that do not read it. */
  vfDeviceId: z.optional(z.nullable(pciIdSchema)),
  /** SR-IOV of the PF; null when the device has none. */
  sriov: z.nullable(z.strictObject({ totalVfs: z.nullable(count), enabledVfs: z.nullable(count) })),
  virtualFunctions: z.array(virtualFunctionSchema).check(z.maxLength(256)),
  mdevTypes: z.nullable(z.array(typeAvailabilitySchema).check(z.maxLength(512))),
  vendorVfio: z.nullable(vendorVfioSchema),
})

/**
 * An mdev that exists in sysfs (`isActive`), is defined in /etc/mdevctl.d (`definition`), or both. The folder is libvirt's: of
 * its container where it runs in one. Where that can't be read a problem names it, and a null definition means nothing.
 */
export const mdevSchema = z.strictObject({
  uuid: uuidSchema,
  /** sysfs name of the parent: the GPU, or the VF on SR-IOV cards. */
  parent: wordSchema('mdevParent'),
  /** Type id of the live device; null when it has no readable `mdev_type`. */
  typeId: z.nullable(lineSchema(128)),
  isActive: z.boolean(),
  definition: z.nullable(
    z.strictObject({
      typeId: z.nullable(lineSchema(128)),
      start: z.enum(['auto', 'manual']),
      path: hostPathSchema,
    }),
  ),
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
export const guestSchema = z.strictObject({
  uuid: uuidSchema,
  /** libvirt's name: `instance-00000004`. */
  name: lineSchema(255).check(z.minLength(1)),
  state: z.enum(['running', 'paused', 'shutoff', 'crashed', 'suspended', 'other']),
  /** Where it was read: live (`/run/libvirt/qemu`), persistent (`/etc/libvirt/qemu`). */
  livePath: z.nullable(hostPathSchema),
  persistentPath: z.nullable(hostPathSchema),
  nova: z.nullable(novaMetadataSchema),
  /** mdev hostdevs, and the XML that contains each. */
  mdevs: z
    .array(z.strictObject({ uuid: uuidSchema, isLive: z.boolean(), isPersistent: z.boolean() }))
    .check(z.maxLength(64)),
  /** PCI hostdevs. */
  pciDevices: z
    .array(z.strictObject({ address: pciAddressSchema, isLive: z.boolean(), isPersistent: z.boolean() }))
    .check(z.maxLength(256)),
  /**
   * Of a guest that is bound to NUMA nodes: the host's CPUs that its vCPUs are pinned to, as `0-3,8`, and its memory by node
   * in MiB, of the live XML where it runs. Absent from guests that are not, and from agents that do not look.
   */
  numa: z.optional(
    z.strictObject({
      cpus: text,
      memory: z
        .array(z.strictObject({ node: count, memoryMib: z.int().check(z.gte(0), z.lte(1e12)) }))
        .check(z.maxLength(256)),
    }),
  ),
})

/** A process, such as QEMU of Proxmox, LXD or KubeVirt, that uses an mdev or a PCI device which no guest of libvirt names. */
const deviceHolderSchema = z.strictObject({
  /** The mdev, or the VF or GPU. */
  device: z.union([uuidSchema, pciAddressSchema]),
  /** `command-line`: its arguments name the device. `open-file`: it has the device's VFIO file open. */
  seenBy: z.enum(['command-line', 'open-file']),
  pid: z.int().check(z.gte(1), z.lte(4_194_304)),
  /** File name of the program: `qemu-system-x86_64`. */
  program: lineSchema(255),
  /** QEMU's `-name` and `-uuid`; null where the arguments have none. */
  guestName: z.nullable(lineSchema(255)),
  guestUuid: z.nullable(uuidSchema),
})

/** One option of nova.conf unchanged; the list keeps oslo.config's order, so a later one overrides. */
const novaOptionSchema = z.strictObject({
  section: lineSchema(255),
  name: lineSchema(255),
  /** As it is, malformed or not: findings judge it, and a plan that needs it is refused where it is malformed. */
  value: linesSchema(16_384),
  file: hostPathSchema,
  line: count,
})

const novaConfigSchema = z.strictObject({
  deployment: z.enum(['package', 'kolla', 'openstack-helm', 'tripleo', 'rhoso', 'snap', 'given']),
  /** Files in the order in which oslo.config reads them. */
  files: z.array(hostPathSchema).check(z.maxLength(512)),
  options: z.array(novaOptionSchema).check(z.maxLength(4096)),
  /**
   * The drop-in that the console may have written here, there or not: how many other files nova-compute reads before it;
   * null: it does not read that folder. Absent where the host does not allow it, and from agents that do not look.
   */
  dropIn: z.optional(z.strictObject({ path: hostPathSchema, place: z.nullable(count) })),
  /**
   * `*.yaml` of `[compute] provider_config_location`, which nova-compute has read at its start; empty when the folder is not
   * there, null when it could not be listed, `text` null when a file could not be read. Absent where nova-compute runs in a
   * container, whose folder the host does not show, and from agents that do not look.
   */
  providerConfig: z.optional(
    z.nullable(
      z.strictObject({
        folder: hostPathSchema,
        files: z
          .array(
            z.strictObject({
              name: lineSchema(255).check(z.minLength(1)),
              text: z.nullable(linesSchema(131_072)),
            }),
          )
          .check(z.maxLength(64)),
      }),
    ),
  ),
})

/** One GPU of `nvidia-smi -q` and `nvidia-smi vgpu -q`. */
export const nvidiaSmiGpuSchema = z.strictObject({
  address: pciAddressSchema,
  name: maybeText,
  uuid: maybeText,
  framebufferMib: z.nullable(count),
  migMode: z.nullable(z.enum(['enabled', 'disabled'])),
  /**
   * `nvidia-smi mig -lgi`: GPU instances with their profile, `1g.5gb`, `1g.10gb+me`. Null if MIG mode is off or the
   * command could not run; absent from agents that do not run it.
   */
  gpuInstances: z.optional(
    z.nullable(
      z
        .array(
          z.strictObject({
            id: count,
            profile: text,
            /** Id of the profile on this card; absent from agents that do not read it. */
            profileId: z.optional(z.nullable(count)),
          }),
        )
        .check(z.maxLength(64)),
    ),
  ),
  /**
   * `nvidia-smi vgpu -s -v`: the types that the card supports, by decimal id. Null where nothing was printed; absent from
   * agents that do not ask.
   */
  vgpuTypes: z.optional(
    z.nullable(
      z
        .array(
          z.strictObject({
            id: count,
            name: maybeText,
            framebufferMib: z.nullable(count),
            /** `Max Instances`, on the whole card. */
            maxInstances: z.nullable(count),
            /** `Max Instances Per GI`. */
            maxPerInstance: z.nullable(count),
            /** `GPU Instance Profile ID`. */
            profileId: z.nullable(count),
          }),
        )
        .check(z.maxLength(512)),
    ),
  ),
  /** `vGPU Heterogeneous Mode`: mixed sizes on one GPU. */
  heterogeneousMode: z.nullable(z.enum(['enabled', 'disabled'])),
  vgpus: z
    .array(
      z.strictObject({
        vgpuId: text,
        guestUuid: z.nullable(uuidSchema),
        guestName: maybeText,
        typeName: maybeText,
        mdevUuid: z.nullable(uuidSchema),
        licenseStatus: maybeText,
        /** `550.54.15`; absent from agents that do not ask. */
        guestDriverVersion: z.optional(maybeText),
      }),
    )
    .check(z.maxLength(256)),
})

/** What `nvidia-smi -q` and `nvidia-smi vgpu -q` say, addresses canonical. Only facts that stand still between changes. */
export const nvidiaSmiSchema = z.strictObject({
  driverVersion: maybeText,
  gpus: z.array(nvidiaSmiGpuSchema).check(z.maxLength(256)),
})

/** An item that could not be read; the rest of the scan is valid. */
const problemSchema = z.strictObject({
  /** Path or command. */
  source: text,
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
  message: text,
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
    numaNodes: z.nullable(
      z
        .array(
          z.strictObject({
            id: count,
            cpus: text,
            memoryMib: z.nullable(z.int().check(z.gte(0), z.lte(1e12))),
          }),
        )
        .check(z.maxLength(256)),
    ),
    /** Names of commands that agent.toml allows, sorted; absent from agents that know no commands, and from `scan`. */
    allowedCommands: z.optional(
      z.array(z.string().check(z.regex(/^[a-z][a-z-]{0,63}$/))).check(z.maxLength(32)),
    ),
    /** nova-compute's process, null when none is found. Absent from agents that do not look. */
    novaCompute: z.optional(
      z.nullable(
        z.strictObject({
          /** ISO 8601 UTC. */
          startedAt: z.iso.datetime(),
          /**
           * Nova's version by the package that is installed now, `31.0.0`, also in a container whose files the host shows; null: not
           * found. Absent from agents that do not look.
           */
          version: z.optional(z.nullable(z.string().check(z.regex(/^\d{1,4}(\.\d{1,6}){1,3}$/)))),
        }),
      ),
    ),
    /**
     * systemd's unit of nova-compute: that of the running one, otherwise the only enabled one. `userId`: a user's manager runs it.
     * Null: not found. Absent from agents that do not look.
     */
    novaUnit: z.optional(
      z.nullable(
        z.strictObject({
          name: z.string().check(z.regex(/^[A-Za-z0-9:_.@\\-]{1,247}\.service$/)),
          userId: z.nullable(z.int().check(z.gte(0), z.lte(4_294_967_295))),
        }),
      ),
    ),
    /**
     * The configuration of Nova's API if it runs here: `[pci] alias`, which defines what flavors may request, and
     * `[quota]` and `[oslo_limit]`, which select the source of limits. Older agents send the aliases alone. Null: it does
     * not run here, or its nova.conf could not be read (a problem has the reason). Absent from agents that do not check.
     */
    novaApi: z.optional(z.nullable(z.omit(novaConfigSchema, { dropIn: true, providerConfig: true }))),
  }),
  vgpuTypes: z.array(vgpuTypeSchema).check(z.maxLength(4096)),
  gpus: z.array(gpuDeviceSchema).check(z.maxLength(256)),
  mdevs: z.nullable(z.array(mdevSchema).check(z.maxLength(8192))),
  guests: z.nullable(z.array(guestSchema).check(z.maxLength(8192))),
  novaConfig: z.nullable(novaConfigSchema),
  nvidiaSmi: z.nullable(nvidiaSmiSchema),
  /** By device and pid; empty where none is found. Absent from agents that do not look. */
  deviceHolders: z.optional(z.array(deviceHolderSchema).check(z.maxLength(1024))),
  problems: z.array(problemSchema).check(z.maxLength(1024)),
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
export type DeviceHolder = z.infer<typeof deviceHolderSchema>
export type Problem = z.infer<typeof problemSchema>
