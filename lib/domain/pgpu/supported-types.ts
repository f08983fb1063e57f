import { plural, sizeText } from '@/lib/domain/wording'
import type { CardType } from './card-types'
import { typeFactsById } from './current-type'
import type { PgpuFacts } from './pgpu-facts'
import { hasOtherSize, roomFor } from './room'
import type { SupportedType } from './types'

const RACE = 'the driver offers none now; a reading while a vGPU starts can show 0'

const existing = (facts: PgpuFacts): string => plural(facts.vgpus.length, 'existing vGPU', 'existing vGPUs')

/** A card takes vGPUs of one framebuffer size (NVIDIA A2 dump: with one 4 GB vGPU made, 4Q, 4A and 4C stay). */
const sizeLock = (facts: PgpuFacts): string => {
  const [size, ...others] = facts.sizes
  return others.length === 0 && typeof size === 'number'
    ? `locked to ${sizeText(size)} types by ${existing(facts)}`
    : `locked by ${existing(facts)} of another type`
}

/** Older drivers take one type per card, whatever the size (vGPU 8 guide). Null: vGPUs of this very type exist. */
const typeLock = (facts: PgpuFacts, type: CardType): string | null => {
  const typeIds = facts.vgpus.map((vgpu) => vgpu.typeId).filter((typeId) => typeId !== null)
  const [first] = typeIds
  if (first === undefined || typeIds.includes(type.facts.typeId)) return null
  return `locked to ${typeFactsById(facts, first).shortName} by ${existing(facts)}`
}

const migReason = (facts: PgpuFacts, type: CardType): string | null => {
  if (facts.smi?.migMode === 'disabled' && type.facts.isMigBacked) return 'needs MIG mode, which is off'
  if (facts.smi?.migMode === 'enabled' && !type.facts.isMigBacked) return 'MIG mode is on'
  return type.facts.isMigBacked ? 'no free GPU instance of its size' : null
}

const zeroReason = (facts: PgpuFacts, type: CardType): string => {
  const mig = migReason(facts, type)
  if (mig !== null) return mig
  if (facts.vgpus.length === 0) return RACE
  if (hasOtherSize(facts, type.facts)) return sizeLock(facts)
  const max = type.facts.maxInstance
  if (max !== null && facts.vgpus.length >= max) return 'full'
  const taken = new Set(facts.vgpus.map((vgpu) => vgpu.address))
  const isOutOfFunctions = facts.parents.length > 1 && facts.parents.every((parent) => taken.has(parent))
  if (isOutOfFunctions) return 'all virtual functions are in use'
  return typeLock(facts, type) ?? (max === null ? `${existing(facts)} left no room` : RACE)
}

const limitReason = (facts: PgpuFacts, type: CardType, creatable: number | null): string | null => {
  const max = type.facts.maxInstance
  if (creatable === null) return roomFor(facts, type).reason
  if (creatable === 0) return zeroReason(facts, type)
  if (max === null || creatable >= max) return null
  if (facts.vgpus.length + creatable >= max)
    return `${plural(facts.vgpus.length, 'vGPU takes', 'vGPUs take')} the other ${plural(max - creatable, 'place', 'places')}`
  if (facts.parents.length > 1)
    return `only ${plural(creatable, 'virtual function is', 'virtual functions are')} free`
  return `the driver offers ${creatable} now`
}

/** The types that a card offers, with how many more could be made now and why not more. Null when it offers none. */
export const supportedTypes = (facts: PgpuFacts): SupportedType[] | null =>
  facts.types?.map((type) => {
    const creatable = roomFor(facts, type).value
    const { typeId, name, shortName, framebufferMib, heads } = type.facts
    const { maxResolution, frameRateLimit, maxInstance, isMigBacked } = type.facts
    // Written out: spreading some 150 of these per report costs a fifth of its reading.
    return {
      typeId,
      name,
      shortName,
      framebufferMib,
      heads,
      maxResolution,
      frameRateLimit,
      maxInstance,
      isMigBacked,
      creatable,
      limitReason: limitReason(facts, type, creatable),
    }
  }) ?? null
