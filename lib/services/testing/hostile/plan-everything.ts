import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { describeQuotaConfigs } from '@/lib/domain/nova-config/layout/describe-quota-configs'
import { draftFlavors, type FlavorInput } from '@/lib/domain/plans/flavor/draft-flavors'
import { planFlavors } from '@/lib/domain/plans/flavor/plan-flavors'
import { planLimits } from '@/lib/domain/plans/limits/plan-limits'
import { pgpusWithOrphans, planOrphans } from '@/lib/domain/plans/orphans/plan-orphans'
import { planPassthrough } from '@/lib/domain/plans/passthrough/plan-passthrough'
import { planReservation } from '@/lib/domain/plans/reservation/plan-reservation'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { planTraits } from '@/lib/domain/plans/traits/plan-traits'
import { planTypeChange } from '@/lib/domain/plans/type-change/plan-type-change'
import type { Plan } from '@/lib/domain/plans/types'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'

/** Null: the service refuses to plan, because the data that it needs was not read. */
type Planner = (fleet: Fleet) => Plan | null
/** Each kind of change, with one plan or several; a new kind does not compile without one. */
type Planners = { readonly [Kind in PlanChange['kind']]: Readonly<Record<string, Planner>> }

const everyGpu = (fleet: Fleet): ChangeTarget[] =>
  fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
const firstGpus = (fleet: Fleet): ChangeTarget[] =>
  everyGpu(fleet).filter(({ host }) => host === firstHost(fleet))
const firstHost = ({ hosts }: Fleet): string => hosts[0]?.host.name ?? ''
const flavorsOf = ({ input }: Fleet) => input.facts.flavors.value ?? []
const gpuFlavorIds = (fleet: Fleet): string[] =>
  flavorsOf(fleet)
    .filter(({ extraSpecs }) => Object.keys(extraSpecs).some((key) => /VGPU|alias/.test(key)))
    .map(({ id }) => id)

const typeChange =
  (typeId: string): Planner =>
  (fleet) =>
    planTypeChange(fleet, {
      gpus: firstGpus(fleet),
      typeId,
      resourceClass: 'CUSTOM_VGPU_OTHER',
      rule: DEFAULT_TRAIT_RULE,
      isFlavorLossAccepted: true,
      held: [],
      testBoot: {
        flavorId: flavorsOf(fleet).find(({ extraSpecs }) => Object.keys(extraSpecs).length === 1)?.id ?? '',
        imageId: '00000000-0000-4000-8000-0000000000aa',
        networks: 'none',
      },
    })

const passthrough =
  (to: 'whole' | 'sliced'): Planner =>
  (fleet) =>
    planPassthrough(fleet, {
      gpus: firstGpus(fleet),
      to,
      alias: null,
      isFlavorLossAccepted: true,
      held: [],
    })

const flavors = (fleet: Fleet, input: FlavorInput): Plan =>
  planFlavors(fleet, {
    drafts: draftFlavors(fleet, input),
    landings: new Map(),
    input,
    isNoMatchAccepted: true,
  })

const projectIdsOf = ({ input }: Fleet): string[] => (input.facts.projects.value ?? []).map(({ id }) => id)

const newFlavor: Planner = (fleet) =>
  flavors(fleet, {
    do: 'create',
    flavorId: '00000000-0000-5000-8000-000000000001',
    flavor: {
      name: 'vgpu.new',
      description: 'new',
      vcpus: 1,
      memoryMib: 1024,
      diskGib: 1,
      isPublic: false,
      extraSpecs: { 'resources:VGPU': '1' },
      projectIds: projectIdsOf(fleet),
    },
    aggregate: {
      name: 'gpu-new',
      hosts: (fleet.input.facts.services.value ?? []).map(({ host }) => host),
      properties: { gpu: 'true' },
    },
  })

const changedFlavors: Planner = (fleet) => {
  const [aggregate] = fleet.input.facts.aggregates.value ?? []
  const closed = flavorsOf(fleet).filter(({ isPublic }) => !isPublic)
  return flavors(fleet, {
    do: 'change',
    flavorIds: (closed.length > 0 ? closed : flavorsOf(fleet)).map(({ id }) => id),
    trait: closed.length > 0 ? 'CUSTOM_T4_8C' : null,
    set: { 'hw:cpu_policy': 'dedicated' },
    unset: [...new Set(flavorsOf(fleet).flatMap(({ extraSpecs }) => Object.keys(extraSpecs)))].filter(
      (key) => !/resources|trait/.test(key),
    ),
    description: 'changed',
    grant: closed.length > 0 ? projectIdsOf(fleet).slice(1) : [],
    revoke: closed.length > 0 ? projectIdsOf(fleet).slice(0, 1) : [],
    access: new Map(closed.map(({ id }) => [id, projectIdsOf(fleet).slice(0, 1)])),
    aggregate:
      aggregate === undefined
        ? null
        : {
            name: aggregate.name,
            hosts: (fleet.input.facts.services.value ?? []).map(({ host }) => host),
            properties: { gpu: 'yes' },
          },
  })
}

const limits: Planner = (fleet) => {
  const view = limitTable(fleet)
  if (view === null) return null
  const projectIds = projectIdsOf(fleet)
  const [first = null] = projectIds
  const grant = { id: 'u-nova', name: 'nova' }
  const options = {
    endpointId: 'endpoint-1',
    authUrl: 'https://keystone.example/v3',
    userName: 'nova',
    userDomainId: 'default',
  }
  return planLimits(fleet, {
    view,
    wishes: [
      { resourceName: 'class:CUSTOM_NEW', projectId: null, value: 3 },
      { resourceName: 'class:VGPU', projectId: null, value: 1 },
      { resourceName: 'class:VGPU', projectId: first, value: 9 },
      ...projectIds.slice(1).map((projectId) => ({ resourceName: 'servers', projectId, value: 0 })),
      ...projectIds.map((projectId) => ({ resourceName: 'class:DISK_GB', projectId, value: 7 })),
    ],
    uses: new Map(projectIds.map((id) => [id, { usages: { VGPU: 4 }, because: null }])),
    grant,
    isSetUp: true,
    configs: describeQuotaConfigs(options, ['package']),
    removesStrays: true,
  })
}

const fenced =
  (way: 'isolated' | 'forbidden'): Planner =>
  (fleet) =>
    planReservation(fleet, {
      way,
      hosts: [firstHost(fleet)],
      aggregate: 'gpu-fenced',
      trait: 'CUSTOM_GPU_HOST',
      flavorIds: way === 'isolated' ? gpuFlavorIds(fleet) : [],
      isMoving: true,
    })

const traits =
  (rule: string | null, providerConfig: 'write' | 'remove' | 'leave'): Planner =>
  (fleet) =>
    planTraits(fleet, { gpus: everyGpu(fleet), rule, isManaged: providerConfig !== 'remove', providerConfig })

/** The last release on which two nova-compute services work on one host. */
const ofNewton = (fleet: Fleet): Fleet => {
  const { input } = fleet
  return {
    ...fleet,
    input: { ...input, facts: { ...input.facts, versions: { ...input.facts.versions, nova: '2.38' } } },
  }
}

const PLANNERS: Planners = {
  traits: {
    'kept, by provider config': traits('CUSTOM_NEW_{type}', 'write'),
    'out of provider config': traits('CUSTOM_NEW_{type}', 'remove'),
    'that were lost': traits(null, 'leave'),
  },
  type: { mdev: typeChange('nvidia-320'), 'vendor VFIO': typeChange('nvidia-1155') },
  passthrough: { whole: passthrough('whole'), sliced: passthrough('sliced') },
  orphans: { all: (fleet) => planOrphans(fleet, { gpus: pgpusWithOrphans(fleet) }) },
  flavor: { create: newFlavor, change: changedFlavors },
  fence: {
    cpus: (fleet) =>
      planReservation(fleet, {
        way: 'cpus',
        host: firstHost(fleet),
        sharedSet: '0-20',
        dedicatedSet: '21-22',
        reservedMemoryMib: 4096,
        flavorIds: gpuFlavorIds(fleet),
        isMoving: true,
      }),
    isolated: fenced('isolated'),
    forbidden: fenced('forbidden'),
    'second service': (fleet) =>
      planReservation(ofNewton(fleet), {
        way: 'second-service',
        host: firstHost(fleet),
        secondHost: 'hyper18-gpu',
        sharedSet: '0-20',
        dedicatedSet: '21-22',
        memoryMib: 8192,
      }),
  },
  limits: { 'set up': limits },
}

export type NamedPlan = { name: string; plan: Plan }

/** Every plan of every kind on a cloud, also where it comes to nothing but refusals. */
export const planEverything = (fleet: Fleet): NamedPlan[] =>
  Object.entries(PLANNERS).flatMap(([kind, ways]) =>
    Object.entries(ways).flatMap(([way, planner]) => {
      const plan = planner(fleet)
      return plan === null ? [] : [{ name: `${kind}, ${way}`, plan }]
    }),
  )
