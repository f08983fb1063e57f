import { churn, fleetHost, planFor, slotsOf, withVgpus } from '@/simulator/demo-fleet/fleet-parts'
import {
  autostart,
  novaSpec,
  novaType,
  RHEL_94,
  UBUNTU_2204,
  UBUNTU_2404,
  vgpu,
} from '@/simulator/fixtures/host-parts'
import { buildGpu, IOMMU_GROUP_STRIDE } from '@/simulator/gpu-models/build-gpu'
import { GPU_MODELS, type GpuModelName } from '@/simulator/gpu-models/gpu-models'
import type { GpuSpec, NovaSpec, SystemSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import type { ProjectName } from '@/simulator/world/projects'

/** PCI bus and NUMA node of the five cards of a host. */
const CARDS: [bus: string, numaNode: number][] = [
  ['18', 0],
  ['35', 0],
  ['61', 0],
  ['a1', 1],
  ['e1', 1],
]

const fiveCards = (
  options: Pick<Parameters<typeof buildGpu>[0], 'model' | 'interface' | 'sharing'>,
): GpuSpec[] =>
  CARDS.map(([bus, numaNode], index) =>
    buildGpu({
      ...options,
      address: `0000:${bus}:00.0`,
      upstream: [`pci0000:${bus}`, `0000:${bus}:01.0`],
      numaNode,
      iommuGroup: 20 + index * IOMMU_GROUP_STRIDE,
    }),
  )

/** Model, and the suffixes of the vGPU types that hosts of this model have: one shape for each. */
const MDEV_MODELS: [model: GpuModelName, suffixes: string][] = [
  ['T4', '1B 2B 1Q 2Q 4Q 8Q 16Q 1A 2A 4A 8A 4C 8C 16C'],
  ['V100', '1Q 2Q 4Q 8Q 16Q 1A 2A 4A 1B 2B 4C 8C 16C'],
  ['M10', '0B 0Q 1A 1B 1Q 2A 2Q 4A 4Q 8A 8Q 2B'],
  ['A16', '4Q 2Q'],
  ['A40', '8Q'],
]
const VENDOR_SUFFIXES = '1B 2B 1Q 2Q 3Q 4Q 6Q 8Q 12Q 16Q 24Q 48Q 4A 8A 4C 8C 16C 24C'

const SYSTEMS: SystemSpec[] = [UBUNTU_2204, UBUNTU_2404, RHEL_94]
const VERSIONS = ['28.2.0', '29.2.0', '30.0.1', '31.0.0']
const PROJECT_SETS: ProjectName[][] = [
  ['cfd-lab', 'bio-ml'],
  ['vdi-north', 'render-farm'],
  ['speech-team', 'platform'],
]

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

const typeIdOf = (model: GpuModelName, suffix: string): string => {
  const found = GPU_MODELS[model].types.find(({ driver }) => driver.name?.endsWith(`-${suffix}`) === true)
  if (found === undefined) throw new Error(`${model} has no type ${suffix}`)
  return found.driver.typeId
}

/** Every sixth mdev host has a second type on its last card, every seventh two mdevs of that type that nothing uses. */
const mdevShape = (model: GpuModelName, suffix: string, index: number, neighbor: string): FleetHost => {
  const typeId = typeIdOf(model, suffix)
  const isMixed = index % 6 === 5
  const otherId = typeIdOf(model, neighbor)
  const bare = fiveCards({ model, sharing: 'same-type' })
  const left =
    index % 7 === 3
      ? slotsOf(bare.slice(4))
          .slice(0, 2)
          .map((slot) => vgpu(slot, otherId))
      : []
  return fleetHost({
    name: shapeName(index),
    gpus: withVgpus(bare, left),
    mdevDefinitions: left.map(autostart),
    system: at(SYSTEMS, index),
    projects: at(PROJECT_SETS, index),
    story: churn(0.6),
    nova: novaSpec({
      version: at(VERSIONS, index),
      types: isMixed
        ? [
            novaType(typeId, { addresses: slotsOf(bare.slice(0, 4)) }),
            novaType(otherId, { addresses: slotsOf(bare.slice(4)) }),
          ]
        : [novaType(typeId)],
    }),
  })
}

const vendorPci = (gpus: readonly GpuSpec[], alias: string, count: number): NovaSpec['sections'] => {
  const ids = { vendor_id: '10de', product_id: GPU_MODELS.L40S.ids.device }
  const resource_class = `CUSTOM_${alias.toUpperCase().replaceAll('-', '_')}`
  const specs = gpus.flatMap((gpu) =>
    (gpu.slicing?.state.slots ?? [])
      .slice(0, count)
      .map(
        (address) =>
          `device_spec = ${JSON.stringify({ ...ids, address, managed: 'no', resource_class, live_migratable: 'yes' })}`,
      ),
  )
  const line = { name: alias, ...ids, resource_class, device_type: 'type-VF', live_migratable: 'yes' }
  return { pci: ['report_in_placement = True', ...specs, `alias = ${JSON.stringify(line)}`] }
}

/** On every third the boot script has forgotten the last card, whose VFs nova.conf assigns all the same. */
const vendorShape = (suffix: string, index: number): FleetHost => {
  const typeId = typeIdOf('L40S', suffix)
  const bare = fiveCards({ model: 'L40S', interface: 'vendor-vfio' })
  const planned = index % 3 === 0 ? bare.slice(0, 4) : bare
  const perCard = GPU_MODELS.L40S.types.find(({ rule }) => rule.typeId === typeId)?.rule.maxInstance ?? 1
  const made = planned.flatMap((gpu) =>
    (gpu.slicing?.state.slots ?? [])
      .slice(0, perCard)
      .map((slot) => ({ ...vgpu(slot, typeId), iommuGroup: 0 })),
  )
  return fleetHost({
    name: shapeName(index),
    gpus: withVgpus(bare, made),
    plan: planFor(planned, typeId),
    system: UBUNTU_2404,
    projects: at(PROJECT_SETS, index),
    story: churn(0.6),
    nova: novaSpec({
      version: at(['31.0.0', '32.0.0'], index),
      sections: vendorPci(bare, `l40s-${suffix.toLowerCase()}`, perCard),
    }),
  })
}

const shapeName = (index: number): string => `shape-${String(index).padStart(4, '0')}-x`

/** As many as vGPU types. */
export const SHAPE_COUNT = 60

/** Empty hosts with five cards each: 60 shapes of 60 vGPU types, mdev, mdev on SR-IOV and vendor VFIO, of several releases. */
export const hostShapes = (): FleetHost[] => {
  const shapes: FleetHost[] = []
  for (const [model, text] of MDEV_MODELS) {
    const suffixes = text.split(' ')
    suffixes.forEach((suffix, turn) => {
      shapes.push(mdevShape(model, suffix, shapes.length, at(suffixes, turn + 1)))
    })
  }
  for (const suffix of VENDOR_SUFFIXES.split(' ')) shapes.push(vendorShape(suffix, shapes.length))
  return shapes
}
