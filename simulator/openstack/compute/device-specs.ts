import type { GpuSpec, HostSpec } from '@/simulator/host-tree/host-spec'

/** One `[pci] device_spec` as far as GPUs need it. */
type DeviceSpec = {
  vendorId: string | null
  productId: string | null
  address: RegExp | null
  resourceClass: string | null
  traits: string[]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** An address with `*` for parts, as Nova's globs have it. */
const addressPattern = (glob: string): RegExp => {
  const pattern = glob
    .toLowerCase()
    .split('')
    .map((letter) => (letter === '*' ? '[0-9a-f]*' : letter.replace('.', '\\.')))
    .join('')
  return new RegExp(`^${pattern}$`)
}

const parseSpec = (line: string): DeviceSpec | null => {
  const found = /^(?:device_spec|passthrough_whitelist)\s*=\s*(.*)$/.exec(line)
  if (found === null) return null
  const spec: unknown = JSON.parse(found[1] ?? '')
  if (!isRecord(spec)) return null
  const address = textOf(spec.address)
  return {
    vendorId: textOf(spec.vendor_id),
    productId: textOf(spec.product_id),
    address: address === null ? null : addressPattern(address),
    resourceClass: textOf(spec.resource_class),
    traits: textOf(spec.traits)?.split(',').filter(Boolean) ?? [],
  }
}

const isReported = (lines: string[]): boolean =>
  lines.some((line) => /^report_in_placement\s*=\s*true$/i.test(line.trim()))

const customClass = ({ resourceClass }: DeviceSpec, gpu: GpuSpec): string => {
  if (resourceClass === null) return `CUSTOM_PCI_${gpu.ids.vendor}_${gpu.ids.device}`.toUpperCase()
  const name = resourceClass.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')
  return name.startsWith('CUSTOM_') ? name : `CUSTOM_${name}`
}

/** Devices of one PF (its VFs, or itself) that Nova assigns and reports in Placement. */
export type PciPool = { address: string; resourceClass: string; traits: string[]; devices: string[] }

const isPassedThrough = (gpu: GpuSpec): boolean => gpu.driver === 'vfio-pci'

/** VFs where the card has some to assign, else the card itself. */
const devicesOf = (gpu: GpuSpec): string[] =>
  gpu.slicing?.interface === 'vendor-vfio'
    ? gpu.slicing.state.slots
    : isPassedThrough(gpu)
      ? [gpu.address]
      : []

/** The device of a GPU with the first spec that fits each. */
const matchedDevices = (gpu: GpuSpec, specs: DeviceSpec[]): { device: string; spec: DeviceSpec }[] =>
  devicesOf(gpu).flatMap((device) => {
    const spec = specs.find(
      ({ vendorId, productId, address }) =>
        (vendorId === null || vendorId === gpu.ids.vendor) &&
        (productId === null || productId === gpu.ids.device) &&
        (address === null || address.test(device)),
    )
    return spec === undefined ? [] : [{ device, spec }]
  })

const poolOf = (gpu: GpuSpec, specs: DeviceSpec[]): PciPool[] => {
  const matched = matchedDevices(gpu, specs)
  const first = matched[0]
  if (first === undefined) return []
  return [
    {
      address: gpu.address,
      resourceClass: customClass(first.spec, gpu),
      traits: first.spec.traits,
      devices: matched.map(({ device }) => device),
    },
  ]
}

/**
 * The line with which nova-compute ends when VFs of one PF are reported under different classes or traits; null when not
 * (nova/compute/pci_placement_translator.py).
 */
export const mixedPool = (spec: HostSpec): string | null => {
  const lines = spec.nova.sections.pci ?? []
  if (!isReported(lines)) return null
  const specs = lines.flatMap((line) => parseSpec(line) ?? [])
  for (const gpu of spec.gpus) {
    const matched = matchedDevices(gpu, specs)
    const words = (name: 'class' | 'traits', text: (each: (typeof matched)[number]) => string) => {
      const kinds = [...new Set(matched.map(text))]
      return kinds.length < 2
        ? null
        : `VFs from the same PF cannot be configured with different '${name === 'class' ? 'resource_class' : 'traits'}' values in [pci]device_spec. We got ${kinds[1]} and ${kinds[0]} below ${gpu.address}.`
    }
    const classes = words('class', ({ spec: each }) => customClass(each, gpu))
    if (classes !== null) return `nova.exception.PlacementPciMixedResourceClassException: ${classes}`
    const traits = words('traits', ({ spec: each }) => [...each.traits].sort().join(','))
    if (traits !== null) return `nova.exception.PlacementPciMixedTraitsException: ${traits}`
  }
  return null
}

/** Specs are never changed in place, so what was read from one stays true. */
const known = new WeakMap<HostSpec, PciPool[]>()

/** PCI devices in Placement, grouped at their PF; none unless `report_in_placement` is on. */
export const pciPools = (spec: HostSpec): PciPool[] => {
  const pools = known.get(spec) ?? readPools(spec)
  known.set(spec, pools)
  return pools
}

const readPools = (spec: HostSpec): PciPool[] => {
  const lines = spec.nova.sections.pci ?? []
  if (!isReported(lines)) return []
  const specs = lines.flatMap((line) => parseSpec(line) ?? [])
  return spec.gpus.flatMap((gpu) => poolOf(gpu, specs))
}
