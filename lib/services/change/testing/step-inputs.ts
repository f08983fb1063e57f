import type { PlanChange, PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import type { ChangeWorld } from './change-world'
import { RETYPED, VFIO, WHOLE, WITH_VFS } from './step-hosts'
import { TEST_FLAVOR } from './test-flavor'

type StepWorld = Pick<ChangeWorld, 'cloud' | 'openstack' | 'living' | 'taggable'>

/** Type of the vGPUs on the fenced host. */
const FENCED_TYPE = '_T4_4C'

/** A flavor that is shared with single projects; the demo has none. */
const OWN_FLAVOR = 'vgpu.steps'

export type StepVariant =
  | PlanChange['kind']
  | 'type-vfio'
  | 'traits (out of provider config)'
  | 'passthrough (back)'
  | 'passthrough (of VFs)'
  | 'passthrough (back to VFs)'
  | 'flavor (of one that there is)'
  | 'fence (of an aggregate)'

const projectIds = ({ openstack }: StepWorld): string[] =>
  openstack().cloud.keystone.projects.map(({ id }) => id)

/** A default without a region and a limit of a project that refers to it. */
const leaveStrays = (world: StepWorld): void => {
  const { controls, cloud } = world.openstack()
  controls.addNullRegion({ resource: 'class:VCPU', value: '16' })
  const { keystone } = cloud
  const stray = keystone.registeredLimits.find(({ regionId }) => regionId === null)
  const [like] = keystone.limits
  if (stray === undefined || like === undefined) throw new Error('the world has no limits')
  const { serviceId, resourceName } = stray
  keystone.limits.push({ ...like, id: 'stray', serviceId, resourceName, regionId: null, resourceLimit: 12 })
}

/** Adds to the simulated cloud what the plans need. */
export const prepareStepCloud = (world: StepWorld): void => {
  const [project = ''] = projectIds(world)
  const { flavors } = world.openstack().cloud.nova
  const [like] = flavors.filter(({ extraSpecs }) => extraSpecs['resources:VGPU'] !== undefined)
  if (like === undefined) throw new Error('the world has no flavor with a vGPU')
  flavors.push({
    ...like,
    id: 'steps',
    name: OWN_FLAVOR,
    isPublic: false,
    projectIds: [project],
    extraSpecs: { ...like.extraSpecs, gpu: 'true' },
  })
  // The first period of nova-compute since provider config was read.
  world.openstack().controls.refresh()
  leaveStrays(world)
}

const fencedFlavors = (world: StepWorld): string[] =>
  world
    .openstack()
    .cloud.nova.flavors.filter(({ extraSpecs }) =>
      Object.keys(extraSpecs).some((key) => key.endsWith(FENCED_TYPE)),
    )
    .map(({ id }) => id)

/** One input for each kind of plan; a new kind of change does not compile without one. */
export type StepInputs = { readonly [Name in StepVariant]: () => Promise<PlanChange> }

export const createStepInputs = (world: StepWorld): StepInputs => {
  const projectId = (name: string): string =>
    world.openstack().cloud.keystone.projects.find((project) => project.name === name)?.id ?? ''

  const passthroughOf = (host: string, card: number, to: PlanPassthrough['to']): PlanPassthrough => ({
    cloud: world.cloud().name,
    kind: 'passthrough',
    gpus: [{ host, address: world.living(host).spec().gpus[card]?.address ?? '' }],
    to,
    alias: null,
    isFlavorLossAccepted: true,
  })

  return {
    traits: async () => ({
      cloud: world.cloud().name,
      kind: 'traits',
      gpus: await world.taggable(2),
      rule: 'CUSTOM_STEPS_{type}',
      isManaged: true,
      providerConfig: 'write',
    }),
    'traits (out of provider config)': async () => ({
      cloud: world.cloud().name,
      kind: 'traits',
      gpus: [{ host: WHOLE, address: world.living(WHOLE).spec().gpus[1]?.address ?? '' }],
      rule: 'CUSTOM_STEPS_{type}',
      providerConfig: 'remove',
    }),
    type: async () => ({
      cloud: world.cloud().name,
      kind: 'type',
      gpus: [{ host: RETYPED, address: world.living(RETYPED).spec().gpus[0]?.address ?? '' }],
      typeId: 'nvidia-320',
      resourceClass: null,
      isFlavorLossAccepted: true,
      testBoot: { flavorId: TEST_FLAVOR.id, imageId: IMAGE_ID, networks: 'none' },
    }),
    'type-vfio': async () => ({
      cloud: world.cloud().name,
      kind: 'type',
      gpus: [{ host: VFIO, address: world.living(VFIO).spec().gpus[0]?.address ?? '' }],
      typeId: 'nvidia-1156',
      resourceClass: null,
      isFlavorLossAccepted: true,
    }),
    passthrough: async () => passthroughOf(RETYPED, 0, 'whole'),
    'passthrough (back)': async () => passthroughOf(WHOLE, 0, 'sliced'),
    'passthrough (of VFs)': async () => passthroughOf(WITH_VFS, 1, 'whole'),
    'passthrough (back to VFs)': async () => passthroughOf(WITH_VFS, 0, 'sliced'),
    orphans: async () => ({ cloud: world.cloud().name, kind: 'orphans', gpus: 'all' }),
    flavor: async () => ({
      cloud: world.cloud().name,
      kind: 'flavor',
      isNoMatchAccepted: false,
      input: {
        do: 'create',
        flavor: {
          name: 'vgpu.steps.new',
          description: null,
          vcpus: 1,
          memoryMib: 1024,
          diskGib: 1,
          isPublic: false,
          extraSpecs: { 'resources:VGPU': '1' },
          projectIds: projectIds(world).slice(0, 1),
        },
        aggregate: { name: 'gpu-steps', hosts: [RETYPED], properties: {} },
      },
    }),
    /** A default with overrides around it, a limit to 0, one that goes, new ones, a new name, rows without a region, and the role. */
    limits: async () => ({
      cloud: world.cloud().name,
      kind: 'limits',
      setUp: { user: DEMO_ACCOUNTS.tenant.name, domainId: null, removesStrays: true },
      limits: [
        { resourceName: 'class:CUSTOM_STEPS', projectId: null, value: 3 },
        { resourceName: 'class:CUSTOM_STEPS', projectId: projectId('cfd-lab'), value: 5 },
        { resourceName: 'class:VGPU', projectId: null, value: 1 },
        { resourceName: 'class:VGPU', projectId: projectId('service'), value: 9 },
        { resourceName: 'class:VGPU', projectId: projectId('admin'), value: null },
        { resourceName: 'class:VCPU', projectId: projectId('service'), value: 7 },
        { resourceName: 'servers', projectId: projectId('cfd-lab'), value: 0 },
        { resourceName: 'class:MEMORY_MB', projectId: projectId('cfd-lab'), value: 4096 },
        { resourceName: 'class:DISK_GB', projectId: projectId('cfd-lab'), value: null },
      ],
    }),
    'flavor (of one that there is)': async () => ({
      cloud: world.cloud().name,
      kind: 'flavor',
      isNoMatchAccepted: false,
      input: {
        do: 'change',
        flavorIds: ['steps'],
        trait: null,
        set: { hide_hypervisor_id: 'true' },
        unset: ['gpu'],
        description: 'for the tests of steps',
        grant: projectIds(world).slice(1, 2),
        revoke: projectIds(world).slice(0, 1),
        aggregate: { name: 'gpu-steps-tied', hosts: [RETYPED], properties: { gpu: 'steps' } },
      },
    }),
    fence: async () => ({
      cloud: world.cloud().name,
      kind: 'fence',
      input: {
        way: 'cpus',
        host: RETYPED,
        sharedSet: '0-55',
        dedicatedSet: '56-63',
        reservedMemoryMib: 16_384,
        flavorIds: fencedFlavors(world),
        isMoving: false,
      },
    }),
    'fence (of an aggregate)': async () => ({
      cloud: world.cloud().name,
      kind: 'fence',
      input: {
        way: 'isolated',
        hosts: [RETYPED],
        aggregate: 'gpu-fenced',
        trait: 'CUSTOM_GPU_HOST',
        flavorIds: fencedFlavors(world),
        isMoving: false,
      },
    }),
  }
}
