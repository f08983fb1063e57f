import type { CardType } from './card-types'
import type { PgpuFacts } from './pgpu-facts'
import { existingSizes, hasOtherSize, roomFor } from './room'
import type { SupportedType } from './types'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** `4096` → `4 GiB`, `512` → `512 MiB`. */
const sizeText = (mib: number): string => (mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`)

const lockReason = (facts: PgpuFacts): string => {
  const sizes = [...existingSizes(facts)]
  const existing = plural(facts.vgpus.length, 'existing vGPU', 'existing vGPUs')
  const [size] = sizes
  if (sizes.length === 1 && typeof size === 'number')
    return `locked to ${sizeText(size)} types by ${existing}`
  return `locked by ${existing} of another type`
}

const migReason = (facts: PgpuFacts, type: CardType): string | null => {
  if (facts.smi?.migMode === 'disabled' && type.facts.isMigBacked) return 'needs MIG mode, which is off'
  if (facts.smi?.migMode === 'enabled' && !type.facts.isMigBacked) return 'MIG mode is on'
  return type.facts.isMigBacked ? 'no free GPU instance of its size' : null
}

const zeroReason = (facts: PgpuFacts, type: CardType): string => {
  const mig = migReason(facts, type)
  if (mig !== null) return mig
  if (facts.vgpus.length === 0) return 'the driver offers none now; a reading while a vGPU starts can show 0'
  if (hasOtherSize(facts, type.facts)) return lockReason(facts)
  const max = type.facts.maxInstance
  if (max !== null && facts.vgpus.length >= max) return 'full'
  const taken = new Set(facts.vgpus.map((vgpu) => vgpu.address))
  const isOutOfFunctions =
    type.availability.length > 1 && type.availability.every((entry) => taken.has(entry.parent))
  if (isOutOfFunctions) return 'all virtual functions are in use'
  return 'the driver offers none now; a reading while a vGPU starts can show 0'
}

const limitReason = (facts: PgpuFacts, type: CardType, creatable: number | null): string | null => {
  const max = type.facts.maxInstance
  if (creatable === null) return roomFor(facts, type).reason
  if (creatable === 0) return zeroReason(facts, type)
  if (max === null || creatable >= max) return null
  if (facts.vgpus.length + creatable >= max)
    return `${plural(facts.vgpus.length, 'vGPU takes', 'vGPUs take')} the other ${plural(max - creatable, 'place', 'places')}`
  if (type.availability.length > 1)
    return `only ${plural(creatable, 'virtual function is', 'virtual functions are')} free`
  return `the driver offers ${creatable} now`
}

/** The types that a card offers, with how many more could be made now and why not more. Null when it offers none. */
export const supportedTypes = (facts: PgpuFacts): SupportedType[] | null =>
  facts.types?.map((type) => {
    const creatable = roomFor(facts, type).value
    return { ...type.facts, creatable, limitReason: limitReason(facts, type, creatable) }
  }) ?? null
