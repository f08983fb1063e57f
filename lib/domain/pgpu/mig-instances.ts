import { type PublishedCard, publishedType } from '@/lib/domain/vgpu-type/published-types'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { SmiType } from '@/lib/domain/vgpu-type/read-vendor-type'
import { migProfileOf, parseTypeName } from '@/lib/domain/vgpu-type/type-name'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'

type SmiGpu = NvidiaSmi['gpus'][number]
type GpuInstance = NonNullable<SmiGpu['gpuInstances']>[number]

/** The GPU instances of a card that hold vGPUs of a type. */
export type TypeInstances = {
  instances: readonly GpuInstance[]
  /** vGPUs of the type, and of its size, in one instance. */
  perInstance: number
}

/** `3g.40gb+me` → 3 slices, `+me`; `+gfx` is left out, since types do not name it. */
const partsOf = (profile: string): string => {
  const [, slices = '', suffix = ''] = /^(\d+)g\.\d+gb(.*)$/.exec(profile) ?? []
  return `${slices}${suffix.replace('+gfx', '')}`
}

/**
 * By the profile's id where the driver reports it; else the profile in the type's name; else, on a card whose
 * instances several vGPUs share, each instance of as many slices.
 */
const instancesOf = (
  instances: readonly GpuInstance[],
  { shortName }: Pick<TypeFacts, 'shortName'>,
  { reported, isShared }: { reported: SmiType | null; isShared: boolean },
): readonly GpuInstance[] => {
  const profileId = reported?.profileId ?? null
  if (profileId !== null && instances.every((instance) => instance.profileId != null))
    return instances.filter((instance) => instance.profileId === profileId)
  const name = parseTypeName(shortName)
  const profile = name === null ? null : migProfileOf(name)
  if (profile === null) return []
  const exact = instances.filter((instance) => instance.profile === profile)
  if (exact.length > 0 || !isShared) return exact
  return instances.filter((instance) => partsOf(instance.profile) === partsOf(profile))
}

/** Null: the GPU instances could not be read. */
export const typeInstances = (
  smi: SmiGpu | null,
  type: Pick<TypeFacts, 'shortName' | 'typeId'>,
  card: PublishedCard,
): TypeInstances | null => {
  if (smi?.gpuInstances == null) return null
  const reported = smi.vgpuTypes?.find(({ id }) => `nvidia-${id}` === type.typeId) ?? null
  const published = publishedType(type.shortName, card)?.maxPerInstance ?? null
  const perInstance = reported?.maxPerInstance ?? published
  return {
    instances: instancesOf(smi.gpuInstances, type, { reported, isShared: perInstance !== null }),
    perInstance: perInstance ?? 1,
  }
}
