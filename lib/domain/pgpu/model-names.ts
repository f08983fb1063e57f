import type { GpuDevice, NvidiaSmi } from '@/lib/schemas/agent/inventory'

/**
 * Names of GPUs that carry vGPUs or are often passed through, by `vendor:device`, or `vendor:device subsystem` where one
 * chip has several names. Used when neither driver nor nvidia-smi names the card. Source: the PCI ID repository.
 */
const MODEL_NAMES: Readonly<Record<string, string>> = {
  '10de:0ff2': 'NVIDIA GRID K1',
  '10de:1023': 'NVIDIA Tesla K40m',
  '10de:1024': 'NVIDIA Tesla K40c',
  '10de:102d': 'NVIDIA Tesla K80',
  '10de:11bf': 'NVIDIA GRID K2',
  '10de:13bd': 'NVIDIA Tesla M10',
  '10de:13f2': 'NVIDIA Tesla M60',
  '10de:13f3': 'NVIDIA Tesla M6',
  '10de:15f7': 'NVIDIA Tesla P100-PCIE-12GB',
  '10de:15f8': 'NVIDIA Tesla P100-PCIE-16GB',
  '10de:15f9': 'NVIDIA Tesla P100-SXM2-16GB',
  '10de:1b38': 'NVIDIA Tesla P40',
  '10de:1bb3': 'NVIDIA Tesla P4',
  '10de:1bb4': 'NVIDIA Tesla P6',
  '10de:1db1': 'NVIDIA Tesla V100-SXM2-16GB',
  '10de:1db4': 'NVIDIA Tesla V100-PCIE-16GB',
  '10de:1db5': 'NVIDIA Tesla V100-SXM2-32GB',
  '10de:1db6': 'NVIDIA Tesla V100-PCIE-32GB',
  '10de:1df6': 'NVIDIA Tesla V100S-PCIE-32GB',
  '10de:1e30': 'NVIDIA Quadro RTX 6000/8000',
  '10de:1e78': 'NVIDIA Quadro RTX 6000/8000',
  '10de:1eb8': 'NVIDIA Tesla T4',
  '10de:20b0': 'NVIDIA A100-SXM4-40GB',
  '10de:20b2': 'NVIDIA A100-SXM4-80GB',
  '10de:20b5': 'NVIDIA A100 80GB PCIe',
  '10de:20b7': 'NVIDIA A30',
  '10de:20f1': 'NVIDIA A100-PCIE-40GB',
  '10de:20f3': 'NVIDIA A800-SXM4-80GB',
  '10de:20f5': 'NVIDIA A800 80GB PCIe',
  '10de:2230': 'NVIDIA RTX A6000',
  '10de:2231': 'NVIDIA RTX A5000',
  '10de:2233': 'NVIDIA RTX A5500',
  '10de:2235': 'NVIDIA A40',
  '10de:2236': 'NVIDIA A10',
  '10de:2237': 'NVIDIA A10G',
  '10de:2321': 'NVIDIA H100 NVL',
  '10de:2322': 'NVIDIA H800 PCIe',
  '10de:2324': 'NVIDIA H800',
  '10de:2329': 'NVIDIA H20',
  '10de:2330': 'NVIDIA H100 80GB HBM3',
  '10de:2331': 'NVIDIA H100 PCIe',
  '10de:2335': 'NVIDIA H200',
  '10de:233b': 'NVIDIA H200 NVL',
  '10de:2342': 'NVIDIA GH200 480GB',
  '10de:25b6': 'NVIDIA A16 / A2',
  '10de:25b6 10de:14a9': 'NVIDIA A16',
  '10de:25b6 10de:157e': 'NVIDIA A2',
  '10de:26b1': 'NVIDIA RTX 6000 Ada Generation',
  '10de:26b2': 'NVIDIA RTX 5000 Ada Generation',
  '10de:26b3': 'NVIDIA RTX 5880 Ada Generation',
  '10de:26b5': 'NVIDIA L40',
  '10de:26b9': 'NVIDIA L40S',
  '10de:26ba': 'NVIDIA L20',
  '10de:27b6': 'NVIDIA L2',
  '10de:27b8': 'NVIDIA L4',
  '10de:2901': 'NVIDIA B200',
  '10de:2bb5': 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
  '1002:6929': 'AMD FirePro S7150',
  '1002:7362': 'AMD Radeon Pro V520',
  '1002:738c': 'AMD Instinct MI100',
  '1002:73a1': 'AMD Radeon Pro V620',
  '1002:7408': 'AMD Instinct MI250X',
  '1002:740c': 'AMD Instinct MI250X / MI250',
  '1002:740f': 'AMD Instinct MI210',
  '1002:7448': 'AMD Radeon Pro W7900',
  '1002:745e': 'AMD Radeon Pro W7800',
  '1002:74a0': 'AMD Instinct MI300A',
  '1002:74a1': 'AMD Instinct MI300X',
  '1002:74a5': 'AMD Instinct MI325X',
  '8086:0bd5': 'Intel Data Center GPU Max 1550',
  '8086:0bda': 'Intel Data Center GPU Max 1100',
  '8086:1912': 'Intel HD Graphics 530',
  '8086:193d': 'Intel Iris Pro Graphics P580',
  '8086:3e92': 'Intel UHD Graphics 630',
  '8086:3e96': 'Intel UHD Graphics P630',
  '8086:3e98': 'Intel UHD Graphics 630',
  '8086:3e9b': 'Intel UHD Graphics 630',
  '8086:4680': 'Intel UHD Graphics 770',
  '8086:56c0': 'Intel Data Center GPU Flex 170',
  '8086:56c1': 'Intel Data Center GPU Flex 140',
  '8086:5912': 'Intel HD Graphics 630',
  '8086:591d': 'Intel HD Graphics P630',
  '8086:9bc5': 'Intel UHD Graphics 630',
}

const VENDORS: Readonly<Record<string, string>> = { '10de': 'NVIDIA', '1002': 'AMD', '8086': 'Intel' }

/** Older NVIDIA drivers say `Tesla T4` where newer ones say `NVIDIA A40`: one model, one name. */
const withVendor = (name: string, vendorId: string | null): string =>
  vendorId === '10de' && !/^nvidia\b/i.test(name) ? `NVIDIA ${name}` : name

type NamedDevice = Pick<
  GpuDevice,
  'address' | 'modelName' | 'vendorId' | 'deviceId' | 'subsystemVendorId' | 'subsystemDeviceId'
>

/**
 * Name of a pGPU: the driver's, nvidia-smi's, the small table's, else vendor and PCI id (`NVIDIA 10de:2bb9`); a virtual
 * parent goes by its sysfs name.
 */
export const modelName = (gpu: NamedDevice, smi: Pick<NvidiaSmi['gpus'][number], 'name'> | null): string => {
  const reported = gpu.modelName ?? smi?.name ?? null
  if (reported !== null && reported.trim() !== '') return withVendor(reported.trim(), gpu.vendorId)
  if (gpu.vendorId === null) return gpu.address
  const id = `${gpu.vendorId}:${gpu.deviceId ?? '????'}`
  const subsystem = `${id} ${gpu.subsystemVendorId ?? ''}:${gpu.subsystemDeviceId ?? ''}`
  return MODEL_NAMES[subsystem] ?? MODEL_NAMES[id] ?? `${VENDORS[gpu.vendorId] ?? 'PCI device'} ${id}`
}

/** A card as published types are looked up by it. */
export const cardOf = ({ gpu, smi }: { gpu: NamedDevice; smi: NvidiaSmi['gpus'][number] | null }) => ({
  model: modelName(gpu, smi),
  framebufferMib: smi?.framebufferMib ?? null,
})
