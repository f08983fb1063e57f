import { toCell } from './cells'
import type { PgpuFacts } from './pgpu-facts'
import { instanceIds, instancesFor, sizeOf } from './room'
import type { GpuInstanceGroup, MigLayout } from './types'
import type { Vgpu } from './vgpus'

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
export const migLayout = (facts: PgpuFacts): MigLayout | null => {
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
