import { autostart, novaSpec, novaType, RHEL_94, UBUNTU_2404, vgpu } from '@/simulator/fixtures/host-parts'
import { buildPlainGpu } from '@/simulator/gpu-models/build-gpu'
import { GPU_MODELS } from '@/simulator/gpu-models/gpu-models'
import type { VendorPlan } from '@/simulator/host/choose-device'
import type { GpuSpec, NovaSpec } from '@/simulator/host-tree/host-spec'
import { novaConfFiles } from '@/simulator/host-tree/render-nova-conf'
import { uuidFrom } from '@/simulator/random/uuid-from'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { type CardLayout, cards } from './card-slots'
import { churn, fleetHost, planFor, slotsOf, withVgpus } from './fleet-parts'

/** Of a type that the host had before; both come back at its next start and would lock the second card. */
const returning = (gpus: GpuSpec[]) =>
  slotsOf(gpus.slice(1))
    .slice(14)
    .map((parent) => ({
      uuid: uuidFrom(`returning ${parent}`),
      parent,
      typeId: 'nvidia-469',
      start: 'auto' as const,
    }))

/** Three A100-5C from before, defined with autostart: they lock the last card and would outlive a reboot. */
const a100 = (): FleetHost => {
  const gpus = cards('quad', { model: 'A100' })
  const left = slotsOf(gpus.slice(3))
    .slice(0, 3)
    .map((slot) => vgpu(slot, 'nvidia-469'))
  return fleetHost({
    name: 'cmp-r5-01',
    gpus: withVgpus(gpus, left),
    mdevDefinitions: left.map(autostart),
    system: RHEL_94,
    projects: ['bio-ml', 'cfd-lab', 'cfd-lab'],
    story: churn(0.6),
    nova: novaSpec({
      deployment: 'rhoso',
      version: '30.0.1',
      types: [novaType('nvidia-471', { maxInstances: 16 })],
    }),
  })
}

const a100Slides = (): FleetHost => {
  const gpus = cards('dual', { model: 'A100' })
  return fleetHost({
    name: 'cmp-r5-02',
    gpus,
    system: RHEL_94,
    projects: ['bio-ml', 'bio-ml', 'speech-team'],
    story: churn(0.6),
    mdevDefinitions: returning(gpus),
    nova: novaSpec({
      deployment: 'rhoso',
      version: '30.0.1',
      types: [novaType('nvidia-468', { maxInstances: 20 })],
    }),
  })
}

const MIG_PROFILES = ['1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb', '3g.20gb']

const a100Mig = (): FleetHost => {
  const gpus = cards('quad', { model: 'A100', migProfiles: MIG_PROFILES })
  const last = gpus.flatMap((gpu) => slotsOf([gpu]).slice(-2))
  return fleetHost({
    name: 'cmp-r5-03',
    gpus,
    system: RHEL_94,
    projects: ['bio-ml', 'cfd-lab'],
    story: churn(0.64),
    nova: novaSpec({
      deployment: 'tripleo',
      version: '29.2.1',
      types: [
        novaType('nvidia-474', { addresses: slotsOf(gpus).filter((slot) => !last.includes(slot)) }),
        novaType('nvidia-476', { addresses: last }),
      ],
    }),
  })
}

const typeByName = (model: 'H100' | 'L40S', suffix: string): string =>
  GPU_MODELS[model].types.find((type) => type.driver.name?.endsWith(`-${suffix}`))?.driver.typeId ?? ''

const h100Mig = (): FleetHost => {
  const ones = Array.from({ length: 7 }, () => '1g.10gb')
  const sliced = cards('quad', { model: 'H100', interface: 'vendor-vfio' }).map((gpu, index) => {
    const profiles = index < 2 ? ones : ['3g.40gb', '3g.40gb']
    const gpuInstances = profiles.map((profile, at) => ({ id: at + 1, profile }))
    if (gpu.slicing === null) return gpu
    return { ...gpu, slicing: { ...gpu.slicing, state: { ...gpu.slicing.state, gpuInstances } } }
  })
  const plan = {
    ...planFor(sliced.slice(0, 2), typeByName('H100', '1-10C')),
    ...planFor(sliced.slice(2), typeByName('H100', '3-40C')),
  }
  const gpus = withTypes(sliced, plan)
  return fleetHost({
    name: 'cmp-r5-04',
    numaNodes: [
      { id: 0, cpus: '0-31,64-95', memoryMib: 1_031_000 },
      { id: 1, cpus: '32-63,96-127', memoryMib: 1_032_094 },
    ],
    gpus,
    system: UBUNTU_2404,
    plan,
    projects: ['bio-ml', 'speech-team'],
    story: churn(0.7),
    nova: novaSpec({ version: '31.0.0', sections: { pci: vendorPci(gpus, '2331', plan) } }),
  })
}

/** VFs that hold a vGPU of the planned type when the card is full, in the order in which they are assigned. */
const plannedVfs = (gpu: GpuSpec, typeId: string): string[] => {
  const state = gpu.slicing?.state
  const type = state?.types.find((candidate) => candidate.typeId === typeId)
  if (state === undefined || type === undefined) return []
  const profile = type.migProfile
  const instances = (state.gpuInstances ?? []).filter((instance) => instance.profile === profile).length
  return state.slots.slice(0, profile === null ? type.maxInstance : instances)
}

/** What the host's boot script does: every assigned VF gets the type that was planned for its card. */
const withTypes = (gpus: GpuSpec[], plan: VendorPlan): GpuSpec[] =>
  withVgpus(
    gpus,
    gpus.flatMap((gpu) => {
      const typeId = plan[gpu.address]
      return typeId === undefined
        ? []
        : plannedVfs(gpu, typeId).map((slot) => ({ ...vgpu(slot, typeId), iommuGroup: 0 }))
    }),
  )

/** `NVIDIA L40S-8Q` is the alias `l40s-8q` and the class CUSTOM_L40S_8Q. */
const aliasOf = (gpu: GpuSpec, typeId: string): string => {
  const name = gpu.slicing?.types.find((type) => type.typeId === typeId)?.name ?? typeId
  return name.slice(name.lastIndexOf(' ') + 1).toLowerCase()
}

const classOf = (alias: string): string => `CUSTOM_${alias.toUpperCase().replaceAll('-', '_')}`

/** The VFs that carry a vGPU type, each by its address, so that Nova reports no more than the cards hold. */
const vendorPci = (gpus: GpuSpec[], product: string, plan: VendorPlan): string[] => {
  const planned = gpus.map((gpu) => ({ gpu, typeId: plan[gpu.address] ?? '' }))
  const aliases = [...new Set(planned.map(({ gpu, typeId }) => aliasOf(gpu, typeId)))]
  return [
    'report_in_placement = True',
    ...planned.flatMap(({ gpu, typeId }) =>
      plannedVfs(gpu, typeId).map(
        (address) =>
          `device_spec = {"vendor_id": "10de", "product_id": "${product}", "address": "${address}", "managed": "no", "resource_class": "${classOf(aliasOf(gpu, typeId))}", "live_migratable": "yes"}`,
      ),
    ),
    ...aliases.map(
      (alias) =>
        `alias = {"name": "${alias}", "vendor_id": "10de", "product_id": "${product}", "resource_class": "${classOf(alias)}", "device_type": "type-VF", "live_migratable": "yes"}`,
    ),
  ]
}

const h100Whole = (): FleetHost => {
  const layout: CardLayout = 'dual'
  // Its SR-IOV capability stays with vfio-pci, so that Nova takes the card for a PF.
  const gpus = cards(layout, { model: 'H100', enabledVfs: 0 }).map(
    ({ slicing: _, modelName: __, ...gpu }) => ({
      ...buildPlainGpu({ ...gpu, driver: 'vfio-pci' }),
      sriov: gpu.sriov,
      parked: { driver: 'nvidia', slicing: null },
    }),
  )
  return fleetHost({
    name: 'cmp-r5-05',
    gpus,
    system: { ...UBUNTU_2404, nvidiaDriverVersion: null },
    projects: ['bio-ml'],
    story: churn(0.6),
    nova: novaSpec({
      version: '31.0.0',
      sections: {
        pci: [
          'device_spec = {"vendor_id": "10de", "product_id": "2331"}',
          'alias = {"name": "h100", "vendor_id": "10de", "product_id": "2331", "device_type": "type-PF"}',
        ],
      },
    }),
  })
}

const l40s = (
  name: string,
  options: {
    hasHeader: boolean
    suffixes: string[]
    targetUse: number
    hasDropIn?: boolean
    /** The boot script forgets the last card, whose VFs nova.conf still configures for passthrough. */
    isLastForgotten?: boolean
  } & Pick<FleetHost, 'projects'> &
    Partial<Pick<FleetHost, 'connection'>>,
): FleetHost => {
  const bare = cards('quad', { model: 'L40S', interface: 'vendor-vfio', hasHeader: options.hasHeader })
  const promised = bare.map((gpu, index): [string, string] => [
    gpu.address,
    typeByName('L40S', options.suffixes[index % options.suffixes.length] ?? ''),
  ])
  const plan = Object.fromEntries(options.isLastForgotten === true ? promised.slice(0, -1) : promised)
  const gpus = withTypes(bare, plan)
  const nova = novaSpec({
    version: '32.0.0',
    sections: { pci: vendorPci(gpus, '26b9', Object.fromEntries(promised)) },
  })
  return fleetHost({
    name,
    gpus,
    plan,
    system: UBUNTU_2404,
    projects: options.projects,
    story: churn(options.targetUse),
    ...(options.connection === undefined ? {} : { connection: options.connection }),
    nova: options.hasDropIn === true ? withPciDropIn(name, nova) : nova,
  })
}

/** `[pci]` in a separate file, which the console's agent may write. */
const withPciDropIn = (name: string, nova: NovaSpec): NovaSpec => ({
  ...nova,
  files: [
    ...novaConfFiles(name, { ...nova, sections: {} }),
    {
      path: '/etc/nova/nova.conf.d/99-sliceboard-pci.conf',
      text: `[pci]\n${(nova.sections.pci ?? []).join('\n')}\n`,
    },
  ],
})

/** What has to leave a rendering host for a change of its type has room here. */
export const renderingSpare = (): FleetHost =>
  l40s('cmp-r6-05', {
    hasHeader: true,
    suffixes: ['8Q'],
    targetUse: 0.2,
    projects: ['render-farm'],
    isLastForgotten: true,
  })

/** Computing and rendering: racks 5 and 6. */
export const computeRacks = (): FleetHost[] => [
  a100(),
  a100Slides(),
  a100Mig(),
  h100Mig(),
  h100Whole(),
  l40s('cmp-r6-01', {
    hasHeader: true,
    suffixes: ['8Q'],
    targetUse: 0.62,
    projects: ['render-farm'],
    hasDropIn: true,
  }),
  l40s('cmp-r6-02', {
    hasHeader: false,
    suffixes: ['16Q', '12Q'],
    targetUse: 0.7,
    projects: ['render-farm', 'cfd-lab'],
  }),
  l40s('cmp-r6-03', {
    hasHeader: true,
    suffixes: ['48Q', '48Q', '12Q', '24Q'],
    targetUse: 0.8,
    projects: ['cfd-lab'],
    connection: { kind: 'lost', afterMs: 60_000 },
  }),
]
