import type { GpuSpec, HostSpec } from './host-spec'
import { nvidiaSmiAddress } from './pci-address'
import { gpuUuid, nvidiaGpus } from './render-system'
import { cardUsage, type RunningVgpu, runningVgpus, type SmiGpu, vgpuNumber } from './running-vgpus'
import { addFile, type Tree } from './tree'

const COMMANDS_DIRECTORY = '/.sliceboard/commands'

const field = (depth: number, label: string, value: string): string =>
  `${`${' '.repeat(depth * 4)}${label}`.padEnd(43)}: ${value}`

const timestamp = ({ measuredAtMs }: HostSpec): string => {
  if (measuredAtMs === undefined) return 'Sat May 18 10:12:40 2024'
  const [day = '', date, month, year, time] = new Date(measuredAtMs).toUTCString().split(' ')
  return `${day.slice(0, 3)} ${month} ${date} ${time} ${year}`
}

const smiHeader = (spec: HostSpec, count: number): string[] => [
  '',
  '==============NVSMI LOG==============',
  '',
  field(0, 'Timestamp', timestamp(spec)),
  field(0, 'Driver Version', spec.system.nvidiaDriverVersion ?? 'N/A'),
  field(0, 'CUDA Version', 'Not Found'),
  '',
  field(0, 'Attached GPUs', String(count)),
]

const heterogeneous = (gpu: GpuSpec): string => {
  const mode = gpu.slicing?.heterogeneousMode ?? null
  if (mode === null) return 'N/A'
  return mode === 'enabled' ? 'Enabled' : 'Disabled'
}

const migMode = (gpu: GpuSpec): string => {
  const isCapable = gpu.slicing?.state.types.some((type) => type.migProfile !== null) ?? false
  if (!isCapable) return 'N/A'
  return gpu.slicing?.state.gpuInstances == null ? 'Disabled' : 'Enabled'
}

const percent = (value: number | null): string => (value === null ? 'N/A' : `${value} %`)

const smiGpu = (gpu: GpuSpec, { modelName, minor, usage }: SmiGpu): string[] => [
  `GPU ${nvidiaSmiAddress(gpu.address)}`,
  field(1, 'Product Name', modelName),
  field(1, 'Product Brand', 'NVIDIA'),
  field(1, 'Display Mode', 'Enabled'),
  field(1, 'Persistence Mode', 'Enabled'),
  '    MIG Mode',
  field(2, 'Current', migMode(gpu)),
  field(2, 'Pending', migMode(gpu)),
  field(1, 'GPU UUID', gpuUuid(gpu.address)),
  field(1, 'Minor Number', String(minor)),
  '    GPU Virtualization Mode',
  field(2, 'Virtualization Mode', gpu.slicing === null ? 'None' : 'Host VGPU'),
  field(2, 'Host VGPU Mode', gpu.sriov === null ? 'Non SR-IOV' : 'SR-IOV'),
  field(2, 'vGPU Heterogeneous Mode', heterogeneous(gpu)),
  '    PCI',
  field(2, 'Bus', `0x${gpu.address.slice(5, 7).toUpperCase()}`),
  field(2, 'Domain', '0x0000'),
  field(2, 'Device Id', `0x${gpu.ids.device}${gpu.ids.vendor}`.toUpperCase().replace('0X', '0x')),
  field(2, 'Bus Id', nvidiaSmiAddress(gpu.address)),
  '    FB Memory Usage',
  field(2, 'Total', `${gpu.framebufferMib} MiB`),
  field(2, 'Reserved', '512 MiB'),
  field(2, 'Used', `${usage.usedMib} MiB`),
  field(2, 'Free', `${Math.max(0, gpu.framebufferMib - 512 - usage.usedMib)} MiB`),
  '    Utilization',
  field(2, 'Gpu', percent(usage.percent)),
  field(2, 'Memory', percent(usage.percent === null ? null : Math.round(usage.percent / 4))),
  field(2, 'Encoder', '0 %'),
  field(2, 'Decoder', '0 %'),
  '    Processes',
  '',
]

const typeName = (gpu: GpuSpec, typeId: string): string =>
  gpu.slicing?.types.find((type) => type.typeId === typeId)?.name ?? typeId

const smiVgpu = (gpu: GpuSpec, { vgpu, guest, usage }: RunningVgpu): string[] => [
  field(1, 'vGPU ID', vgpuNumber(vgpu)),
  field(2, 'VM UUID', guest.uuid),
  field(2, 'VM Name', guest.name),
  field(2, 'vGPU Name', typeName(gpu, vgpu.typeId)),
  field(2, 'vGPU Type', vgpu.typeId.slice(vgpu.typeId.lastIndexOf('-') + 1)),
  field(2, 'vGPU UUID', `${vgpu.uuid.slice(0, 8)}-0dcb-11ef-${vgpu.uuid.slice(19)}`),
  field(2, 'Guest Driver Version', '550.54.15'),
  field(2, 'License Status', 'Licensed (Expiry: 2026-12-31 23:59:59 GMT)'),
  field(2, 'GPU Instance ID', 'N/A'),
  field(2, 'Placement ID', 'N/A'),
  ...(gpu.slicing?.interface === 'mdev' ? [field(2, 'MDEV UUID', vgpu.uuid)] : []),
  '        FB Memory Usage',
  field(3, 'Total', `${usage.totalMib} MiB`),
  field(3, 'Used', `${usage.usedMib} MiB`),
  field(3, 'Free', `${usage.totalMib - usage.usedMib} MiB`),
  '        Utilization',
  field(3, 'Gpu', percent(usage.percent)),
  field(3, 'Memory', percent(usage.percent === null ? null : Math.round(usage.percent / 4))),
  field(3, 'Encoder', '0 %'),
  field(3, 'Decoder', '0 %'),
]

const smiVgpus = (spec: HostSpec, gpu: GpuSpec): string[] => {
  const active = runningVgpus(spec, gpu)
  return [
    `GPU ${nvidiaSmiAddress(gpu.address)}`,
    field(1, 'Active vGPUs', String(active.length)),
    ...active.flatMap((running) => smiVgpu(gpu, running)),
    '',
  ]
}

const line = (text: string): string => `| ${text.padEnd(54)}|`
const rule = `+${'-'.repeat(55)}+`

/** The table of GPU instances; `placement` is not kept by the simulated driver. */
const smiInstances = (gpus: ReturnType<typeof nvidiaGpus>): string[] => {
  const rows = gpus.flatMap(({ gpu }, index) =>
    (gpu.slicing?.state.gpuInstances ?? []).flatMap(({ id, profile }, position) => [
      line(
        `  ${index}  MIG ${profile.padEnd(15)}${'19'.padStart(3)}${String(id).padStart(9)}          ${position}:1`,
      ),
      rule,
    ]),
  )
  if (rows.length === 0) return ['No GPU instances found: Not Found']
  return [
    rule,
    line('GPU instances:'),
    line('GPU   Name             Profile  Instance   Placement'),
    line('                         ID       ID       Start:Size'),
    `|${'='.repeat(55)}|`,
    ...rows,
  ]
}

const virshVersion = (spec: HostSpec): string[] => [
  `Compiled against library: libvirt ${spec.system.libvirtVersion}`,
  `Using library: libvirt ${spec.system.libvirtVersion}`,
  `Using API: QEMU ${spec.system.libvirtVersion}`,
  `Running hypervisor: QEMU ${spec.system.qemuVersion}`,
  '',
]

/** What read-only commands print on this host, for scans of a copied tree. */
export const renderCommands = (tree: Tree, spec: HostSpec): void => {
  if (!spec.hasCommandOutput) return
  const add = (name: string, lines: string[]): void =>
    addFile(tree, `${COMMANDS_DIRECTORY}/${name}.txt`, `${lines.join('\n')}\n`)
  add('virsh-r-version', virshVersion(spec))
  add('nova-compute-version', [spec.nova.version])
  if (spec.system.nvidiaDriverVersion === null) return
  const gpus = nvidiaGpus(spec)
  const header = smiHeader(spec, gpus.length)
  add('nvidia-smi-q', [
    ...header,
    ...gpus.flatMap(({ gpu, modelName }, index) =>
      smiGpu(gpu, { modelName, minor: index, usage: cardUsage(spec, gpu) }),
    ),
  ])
  if (gpus.some(({ gpu }) => migMode(gpu) === 'Enabled')) add('nvidia-smi-mig-lgi', smiInstances(gpus))
  add('nvidia-smi-vgpu-q', [...header, ...gpus.flatMap(({ gpu }) => smiVgpus(spec, gpu))])
}
