import { deviceSpecText } from '@/lib/domain/nova-config/device-spec'
import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { instanceIds, instancesFor, sizeOf } from './creatable-for'
import { configuredType, currentType } from './current-type'
import { handedOutBy } from './handed-out-by'
import { readIommuGroup } from './iommu-group'
import { modelName } from './model-names'
import { pgpuNumbers } from './numbers'
import type { PgpuFacts } from './pgpu-facts'
import { rawFacts } from './raw-facts'
import { supportedTypes } from './supported-types'
import {
  CELL_KINDS,
  type Cell,
  type CellKind,
  type DeviceSpecLine,
  type GpuInstanceGroup,
  type MigLayout,
  type Pgpu,
  type PgpuNumbers,
} from './types'
import type { Vgpu } from './vgpus'

const emptyCell = (kind: CellKind, address: string | null): Cell => ({
  kind,
  mdevUuid: null,
  address,
  typeId: null,
  typeName: null,
  occupant: null,
})

/** No card holds more vGPUs. Limits the cells of a parent that offers thousands. */
const MAX_CELLS = 256

/** Most cells have no address. */
const EMPTY = {
  free: emptyCell('free', null),
  locked: emptyCell('locked', null),
  unknown: emptyCell('unknown', null),
} as const

/** The unused functions in passthrough. */
const openOf = (units: readonly string[], vgpus: readonly Vgpu[]): string[] => {
  const held = new Set(vgpus.map((vgpu) => vgpu.address))
  return units.filter((address) => !held.has(address))
}

const toCell = ({ state, mdevUuid, address, typeId, type, occupant }: Vgpu): Cell => ({
  kind: state,
  mdevUuid,
  address,
  typeId,
  typeName: type?.shortName ?? null,
  occupant,
})

const compareText = (a: string | null, b: string | null): number =>
  a === b ? 0 : (a ?? '').localeCompare(b ?? '')

const compareCells = (a: Cell, b: Cell): number =>
  CELL_KINDS.indexOf(a.kind) - CELL_KINDS.indexOf(b.kind) ||
  compareText(a.address, b.address) ||
  compareText(a.mdevUuid, b.mdevUuid)

/**
 * The places of a pGPU, one per vGPU of its capacity, in drawing order; more when more vGPUs exist than fit by the driver's
 * word, none when the capacity is unknown. Places that neither hold a vGPU nor can be filled now are `locked`, or `unknown`
 * when the host does not say enough. At most 256, unless more vGPUs exist.
 */
const pgpuCells = ({ vgpus, units }: PgpuFacts, numbers: PgpuNumbers): Cell[] => {
  const capacity = numbers.capacity.value
  if (capacity === null) return []
  const cells = vgpus.map(toCell)
  const free = Math.min(numbers.creatable.value ?? 0, Math.max(0, capacity - vgpus.length))
  const isKnown = numbers.creatable.value !== null && numbers.used.value !== null
  const openUnits = units.length === 0 ? units : openOf(units, vgpus)
  for (let index = 0; index < Math.min(capacity, MAX_CELLS) - vgpus.length; index += 1) {
    const kind = index < free ? 'free' : isKnown ? 'locked' : 'unknown'
    const address = openUnits[index]
    cells.push(address === undefined ? EMPTY[kind] : emptyCell(kind, address))
  }
  return cells.toSorted(compareCells)
}

type Instance = NonNullable<NonNullable<PgpuFacts['smi']>['gpuInstances']>[number]
type Group = { profile: string; instances: Instance[]; vgpus: Vgpu[] }

const oneByOne = (
  facts: PgpuFacts,
  instances: readonly Instance[],
  ids: ReadonlyMap<Vgpu, number>,
): Group[] =>
  instances.map((instance) => ({
    profile: instance.profile,
    instances: [instance],
    vgpus: facts.vgpus.filter((vgpu) => ids.get(vgpu) === instance.id),
  }))

/** Where the driver does not report the instance of a vGPU, its type names the profile only. */
const byProfile = (facts: PgpuFacts, instances: readonly Instance[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const instance of instances) {
    const { profile } = instance
    const group = groups.get(profile) ?? { profile, instances: [], vgpus: [] }
    group.instances.push(instance)
    groups.set(profile, group)
  }
  for (const vgpu of facts.vgpus) {
    const [first] = instancesFor(facts, vgpu.type)?.instances ?? []
    if (first !== undefined) groups.get(first.profile)?.vgpus.push(vgpu)
  }
  return [...groups.values()]
}

const fitsIn = (facts: PgpuFacts, { instances, vgpus }: Group): NonNullable<GpuInstanceGroup['fits']> =>
  (facts.types ?? []).flatMap(({ facts: type }) => {
    const found = type.isMigBacked ? instancesFor(facts, type) : null
    if (found === null) return []
    const usable = instances.filter(({ id }) => found.instances.some((instance) => instance.id === id))
    const size = sizeOf(type, type.typeId)
    const isOneSize = vgpus.every((vgpu) => sizeOf(vgpu.type, vgpu.typeId) === size)
    const isOneEach =
      found.perInstance === 1 && vgpus.every((vgpu) => instancesFor(facts, vgpu.type)?.perInstance === 1)
    // vGPUs of different sizes cannot share an instance.
    if (!isOneSize && !isOneEach) return []
    const count = usable.length * found.perInstance - vgpus.length
    return count > 0 ? [{ shortName: type.shortName, count }] : []
  })

/** The GPU instances of a card in MIG mode; null: MIG mode is off, or the instances could not be read. */
const migLayout = (facts: PgpuFacts): MigLayout | null => {
  const { smi } = facts
  if (smi?.migMode !== 'enabled' || smi.gpuInstances == null) return null
  const ids = instanceIds(facts)
  const groups = ids === null ? byProfile(facts, smi.gpuInstances) : oneByOne(facts, smi.gpuInstances, ids)
  const placed = groups.reduce((sum, { vgpus }) => sum + vgpus.length, 0)
  const unplacedVgpus = facts.vgpus.length - placed
  return {
    groups: groups.map((group) => ({
      ids: group.instances.map(({ id }) => id),
      profile: group.profile,
      vgpus: group.vgpus.map(toCell),
      fits: unplacedVgpus === 0 ? fitsIn(facts, group) : null,
    })),
    unplacedVgpus,
  }
}

/** The entries of `[pci] device_spec` that hand a card or VFs of it out, in nova.conf's order. */
const deviceSpecLines = ({ gpu, nova }: Pick<PgpuFacts, 'gpu' | 'nova'>): DeviceSpecLine[] => {
  const specs = nova?.deviceSpecs.specs ?? []
  const listed = listedIn(specs, gpu)
  return specs.flatMap((spec) => {
    const functions = listed.filter((one) => one.spec === spec).map(({ address }) => address)
    return functions.length === 0 ? [] : [{ text: deviceSpecText(spec), source: spec.source, functions }]
  })
}

/**
 * How much of a host is described. `page`: all. `rules`: without `deviceSpecs`, `rawFacts` and the lines of nova.conf, which only
 * pages of one host show. `rows`: also without `cells` and `mig`, which are not stored.
 */
export type DescriptionDetail = 'page' | 'rules' | 'rows'

const largestFramebuffer = (facts: PgpuFacts): number | null => {
  const sizes = (facts.types ?? []).map((type) => type.facts.framebufferMib).filter((size) => size !== null)
  return sizes.length === 0 ? null : Math.max(...sizes)
}

const isMigBacked = ({ smi, vgpus }: PgpuFacts): boolean =>
  smi?.migMode === 'enabled' || vgpus.some(({ type }) => type?.isMigBacked === true)

const subsystemId = ({ subsystemVendorId, subsystemDeviceId }: GpuDevice): string | null =>
  subsystemVendorId === null || subsystemDeviceId === null
    ? null
    : `${subsystemVendorId}:${subsystemDeviceId}`

const virtualFunctions = ({ gpu, mdevs }: PgpuFacts): Pgpu['virtualFunctions'] =>
  gpu.virtualFunctions.map((vf) => ({
    address: vf.address,
    driver: vf.driver,
    currentType: vf.vendorVfio?.currentType ?? null,
    mdevUuids: (mdevs ?? [])
      .filter((mdev) => mdev.isActive && mdev.parent === vf.address)
      .map((mdev) => mdev.uuid),
  }))

/** One card as its host's facts describe it, findings left empty (the detectors see all cards of the host). */
export const describePgpu = (facts: PgpuFacts, detail: DescriptionDetail): Pgpu => {
  const { gpu } = facts
  const configured = configuredType(facts)
  const current = currentType(facts, configured)
  const numbers = pgpuNumbers(facts, current)
  return {
    address: gpu.address,
    vendorId: gpu.vendorId,
    deviceId: gpu.deviceId,
    vfDeviceId: gpu.vfDeviceId,
    subsystemId: subsystemId(gpu),
    model: modelName(gpu, facts.smi),
    framework: facts.framework,
    isMigBacked: isMigBacked(facts),
    driver: gpu.driver,
    numaNode: gpu.numaNode,
    iommuGroup: gpu.iommuGroup,
    iommuGroupMembers: gpu.iommuGroupMembers,
    iommu: readIommuGroup(gpu),
    framebufferMib: facts.smi?.framebufferMib ?? largestFramebuffer(facts),
    configuredType: configured,
    handedOutBy: handedOutBy(facts),
    deviceSpecs: detail === 'page' ? deviceSpecLines(facts) : [],
    currentType: current,
    supportedTypes: supportedTypes(facts, {
      typeId: current?.typeId ?? null,
      capacity: numbers.capacity.value,
    }),
    mig: detail !== 'rows' ? migLayout(facts) : null,
    numbers,
    cells: detail !== 'rows' ? pgpuCells(facts, numbers) : [],
    virtualFunctions: virtualFunctions(facts),
    findings: [],
    rawFacts: detail === 'page' ? rawFacts(facts) : [],
  }
}
