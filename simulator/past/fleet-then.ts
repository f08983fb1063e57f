import { rmSync } from 'node:fs'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import type { CloudHostFacts, Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import type {
  CloudFacts,
  PartReading,
  ProjectLimit,
  ProviderInventory,
  ResourceProvider,
  Server,
} from '@/lib/domain/cloud/types'
import { describeHost } from '@/lib/domain/host/describe-host'
import { isSliced } from '@/simulator/host/host-lookup'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { mdevTotals } from '@/simulator/openstack/compute/mdev-totals'
import { traitOfSlot } from '@/simulator/openstack/compute/type-trait'
import { demoFlavors } from '@/simulator/openstack/demo-cloud/flavors'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { PROJECTS } from '@/simulator/world/projects'
import { reportedAt } from './reported-at'

const SERVICE = 'nova'
const OPEN = { status: 'enabled' as const, state: 'up' as const, isForcedDown: false, disabledReason: null }

export type HostMoment = {
  host: FleetHost
  /** As it was. */
  spec: HostSpec
  /** When its agent sent the last report; null: it reports. ms. */
  silentSince?: number
}

type Limits = readonly { projectId: string; value: number }[]

export type MomentOptions = {
  at: number
  cloud: { name: string; region: string }
  /** Providers carry the traits of their types already. */
  isTagged?: boolean
  limits?: Limits
}

const inventoryOf = (total: number, used: number): ProviderInventory => ({
  capacity: total,
  used,
  total,
  reserved: 0,
  allocationRatio: 1,
  minUnit: 1,
  maxUnit: total,
  stepSize: 1,
})

const rootOf = ({ name }: HostSpec): ResourceProvider => {
  const uuid = uuidFrom(`root provider ${name}`)
  const inventories = {
    VCPU: inventoryOf(512, 64),
    MEMORY_MB: inventoryOf(1_048_576, 131_072),
    DISK_GB: inventoryOf(7150, 400),
  }
  const traits = ['COMPUTE_STATUS_ENABLED']
  return {
    uuid,
    name,
    generation: 1,
    parentUuid: null,
    rootUuid: uuid,
    inventories,
    traits,
    aggregateUuids: [],
  }
}

const slotOf = (spec: HostSpec, mdev: string): string | null =>
  spec.gpus
    .filter(isSliced)
    .flatMap(({ slicing }) => slicing.state.vgpus)
    .find(({ uuid }) => uuid === mdev)?.slot ?? null

const providersOf = (spec: HostSpec, isTagged: boolean): ResourceProvider[] => {
  const root = rootOf(spec)
  const held = spec.guests.flatMap(({ mdevs }) => mdevs).map((mdev) => slotOf(spec, mdev))
  const below = mdevTotals(spec).map(({ slot, typeId, resourceClass, total }) => ({
    uuid: uuidFrom(`provider ${spec.name} ${slot}`),
    name: mdevProviderName({ hypervisorHostname: spec.name, address: slot }),
    generation: 1,
    parentUuid: root.uuid,
    rootUuid: root.uuid,
    inventories: { [resourceClass]: inventoryOf(total, held.filter((own) => own === slot).length) },
    traits: isTagged ? [traitOfSlot(spec, slot, typeId)] : [],
    aggregateUuids: null,
  }))
  return [root, ...below]
}

const serversOf = (spec: HostSpec): Server[] =>
  spec.guests.flatMap(({ uuid, name, nova, vcpus, memoryMib }) =>
    nova === null
      ? []
      : [
          {
            uuid,
            name: nova.serverName,
            projectId: nova.projectId,
            userId: null,
            status: 'ACTIVE',
            taskState: null,
            host: spec.name,
            hypervisorHostname: spec.name,
            instanceName: name,
            flavorName: nova.flavorName,
            vcpus,
            memoryMib,
            diskGib: 20,
            extraSpecs: { 'resources:VGPU': '1' },
            fault: null,
            createdAt: `${nova.createdAt.replace(' ', 'T')}.000Z`,
          },
        ],
  )

const factsOf = (
  moments: readonly HostMoment[],
  { at, cloud, isTagged = true, limits = [] }: MomentOptions,
): CloudFacts => {
  const reported = <Value>(value: Value): PartReading<Value> => reportedAt(value, at)
  const specs = moments.map(({ spec }) => spec)
  const common = { serviceId: SERVICE, regionId: cloud.region, resourceName: 'class:VGPU' }
  const project = limits.map(({ projectId, value }): ProjectLimit => {
    const id = uuidFrom(`limit ${projectId}`).replaceAll('-', '')
    return { ...common, id, projectId, domainId: null, resourceLimit: value }
  })
  return {
    cloud: cloud.name,
    region: cloud.region,
    versions: { nova: '2.100', placement: '1.39', keystone: '3.14' },
    providers: reported(specs.flatMap((spec) => providersOf(spec, isTagged))),
    allocations: reported(
      specs.flatMap((spec) =>
        spec.guests.flatMap(({ uuid, mdevs }) =>
          mdevs.map((mdev) => ({
            consumerUuid: uuid,
            providerUuid: uuidFrom(`provider ${spec.name} ${slotOf(spec, mdev)}`),
            resources: { VGPU: 1 },
          })),
        ),
      ),
    ),
    services: reported(
      specs.map(({ name }) => ({
        ...OPEN,
        id: uuidFrom(`service ${name}`),
        host: name,
        updatedAt: null,
        availabilityZone: 'nova',
      })),
    ),
    hypervisors: reported(
      specs.map((spec) => ({
        id: rootOf(spec).uuid,
        hypervisorHostname: spec.name,
        serviceHost: spec.name,
        hostIp: null,
        hypervisorVersion: null,
        state: 'up' as const,
        status: 'enabled' as const,
      })),
    ),
    servers: reported(specs.flatMap(serversOf)),
    migrations: reported([]),
    flavors: reported(demoFlavors(moments.map(({ host, spec }) => ({ ...host, spec })))),
    aggregates: reported([]),
    limits: reported({
      model: 'flat',
      registered: [{ ...common, id: uuidFrom('registered limit').replaceAll('-', ''), defaultLimit: 0 }],
      project,
      novaServiceId: SERVICE,
      novaRegionId: cloud.region,
    }),
    projects: reported(
      Object.values(PROJECTS).map(({ id, name }) => ({ id, name, domainId: 'default', isEnabled: true })),
    ),
    networkAgents: reported([]),
  }
}

/** What the host's own agent makes of its files. */
const scanned = async ({ spec, silentSince }: HostMoment, at: number): Promise<CloudHostFacts> => {
  const directory = makeTemporaryDirectory('past-host')
  try {
    const root = path.join(directory, spec.name)
    writeHostTree(root, spec)
    const inventory = await scanHost({ root, hostName: spec.name })
    const seenAt = new Date(silentSince ?? at).toISOString()
    return {
      name: spec.name,
      inventory,
      description: describeHost(inventory),
      takenAt: seenAt,
      seenAt,
      isSilent: silentSince !== undefined,
      agentVersion: '1.0.0',
      droppedReports: 0,
      problems: inventory.problems,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Some hosts of the cloud as agents and services reported them at a moment of the past: what a plan is made from. */
export const fleetThen = async (moments: readonly HostMoment[], options: MomentOptions): Promise<Fleet> =>
  joinFleet({
    facts: factsOf(moments, options),
    hosts: await Promise.all(moments.map((moment) => scanned(moment, options.at))),
    now: new Date(options.at).toISOString(),
    staleAfterMs: 300_000,
    currentAgentVersion: null,
    traitMemory: [],
    managedTraits: [],
  })
