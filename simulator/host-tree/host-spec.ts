import type { CpuOptions } from '@/lib/domain/nova-config/cpu-options'
import type { GpuState } from '@/simulator/gpu-rules/gpu-state'

/** A compute host as its files show it. `renderHostTree` turns it into paths and contents; it is never changed in place. */
export type HostSpec = {
  name: string
  system: SystemSpec
  numaNodes: NumaNodeSpec[]
  gpus: GpuSpec[]
  /** Other PCI devices: the BMC's graphics, network cards. */
  otherDevices: PciDeviceSpec[]
  /** `/etc/mdevctl.d`, of mdevs that are active and of those that are not. */
  mdevDefinitions: MdevDefinitionSpec[]
  guests: GuestSpec[]
  nova: NovaSpec
  /** Whether `.sliceboard/commands` holds what nvidia-smi, virsh and nova-compute print. */
  hasCommandOutput: boolean
  /** The moment for which nvidia-smi reports utilization, in ms; absent: none, and nothing is used. */
  measuredAtMs?: number
  /** Entries laid over the rendered tree: trouble, oddities, everything without its own field. */
  extras: ExtraEntry[]
}

export type SystemSpec = {
  osPrettyName: string
  osId: string
  osVersionId: string
  kernel: string
  libvirtVersion: string
  qemuVersion: string
  nvidiaDriverVersion: string | null
}

type NumaNodeSpec = { id: number; cpus: string; memoryMib: number }

/** 4 hex digits each, lower case, without 0x; `classCode` has six. */
export type PciIds = {
  classCode: string
  vendor: string
  device: string
  subsystemVendor: string
  subsystemDevice: string
}

export type PciDeviceSpec = {
  address: string
  /** Directories between /sys/devices and the device: `['pci0000:40', '0000:40:01.1']`. */
  upstream: string[]
  ids: PciIds
  driver: string | null
  /** What was written into `driver_override`; absent: nothing was. */
  driverOverride?: string
  /** Null writes -1, as the kernel does on machines with one node. */
  numaNode: number | null
  iommuGroup: number | null
}

export type GpuSpec = PciDeviceSpec & {
  /** As the driver prints it in /proc/driver/nvidia/gpus; null for GPUs that NVIDIA's driver does not drive. */
  modelName: string | null
  framebufferMib: number
  sriov: SriovSpec | null
  /** How NVIDIA's or another driver slices the card; null when it does not. */
  slicing: SlicingSpec | null
  /** Of a card whose VFs are off: how its driver slices it once they are on. */
  vfSlicing?: SlicingSpec
  /** Of a card that was taken from the driver that slices it: how that would slice it again. */
  parked?: { driver: string; slicing: SlicingSpec | null }
}

type SriovSpec = {
  totalVfs: number
  enabledVfs: number
  /** Distance of the first VF from the PF in functions: 4 on Ampere, so 41:00.0 has 41:00.4 as first VF. */
  firstVfOffset: number
  /** IOMMU group of the first VF; the others follow. */
  firstIommuGroup: number
}

export type SlicingSpec = {
  interface: 'mdev' | 'vendor-vfio'
  /** Vendor VFIO only: whether `creatable_vgpu_types` begins with its header line. */
  hasHeader: boolean
  /** mdev parent without a PCI device, as the kernel's mtty sample. */
  isVirtual: boolean
  types: DriverType[]
  /** What the driver holds: types by rule, vGPUs made, MIG instances. */
  state: GpuState
  heterogeneousMode: 'enabled' | 'disabled' | null
}

/** One vGPU type as the driver words it. */
export type DriverType = {
  /** sysfs name: `nvidia-222`, `i915-GVTg_V5_4`. Vendor VFIO uses the number after the dash. */
  typeId: string
  name: string | null
  description: string | null
}

export type MdevDefinitionSpec = { uuid: string; parent: string; typeId: string; start: 'auto' | 'manual' }

export type GuestSpec = {
  uuid: string
  /** libvirt's name: `instance-00000004`. */
  name: string
  state: 'running' | 'paused' | 'shutoff'
  vcpus: number
  memoryMib: number
  mdevs: string[]
  pciDevices: string[]
  nova: GuestNovaSpec | null
  /** Pinned to CPUs of one NUMA node, which its memory comes from too; chosen when the host takes it. Absent: it floats. */
  pinned?: { node: number; cpus: number[] }
}

export type GuestNovaSpec = {
  namespace: '1.0' | '1.1'
  serverName: string
  flavorName: string
  projectId: string
  projectName: string
  userId: string
  userName: string
  createdAt: string
}

export type Deployment = 'package' | 'kolla' | 'openstack-helm' | 'tripleo' | 'rhoso' | 'snap'

export type NovaSpec = {
  deployment: Deployment
  /** nova-compute's version, `29.2.0`. From 30 on Nova defines its mdevs with autostart. */
  version: string
  /** Null: nothing of the process is shown, as on a copied tree. */
  process: NovaProcessSpec | null
  /** `old` writes `enabled_vgpu_types` and `[vgpu_*]`. */
  optionNames: 'new' | 'old'
  /** What nova-compute works with: read at its start, so the files may say something else by now. */
  types: NovaTypeSpec[]
  /** CPUs and memory that nova-compute keeps, read at its start too; absent: only the memory of its nova.conf. */
  cpu?: CpuOptions
  /** Traits that provider config puts on providers by name, read at its start too; absent: none. */
  providerTraits?: readonly { provider: string; traits: readonly string[] }[]
  /** Further sections as lines, e.g. `pci: ['device_spec = {…}']`. */
  sections: Record<string, string[]>
  /** Complete files instead of those that `deployment` would give; edits since then are included. */
  files: NovaFileSpec[] | null
}

export type NovaFileSpec = { path: string; text: string }

/** nova-compute of a living host; `failure` is its last line in the log when it did not start. */
export type NovaProcessSpec = { pid: number; startedAtMs: number; failure: string | null }

export type NovaTypeSpec = {
  typeId: string
  addresses: string[]
  mdevClass: string | null
  maxInstances: number | null
}

export type ExtraEntry =
  | { kind: 'file'; path: string; content: string; mode: number }
  | { kind: 'link'; path: string; target: string }
  | { kind: 'directory'; path: string; mode: number }
  | { kind: 'removed'; path: string }
