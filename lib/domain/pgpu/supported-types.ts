import { formatMib, formatNoun } from '@/lib/util/format'
import type { CardType } from './card-types'
import { creatableFor, hasOtherSize } from './creatable-for'
import { typeFactsById } from './current-type'
import type { PgpuFacts } from './pgpu-facts'
import type { SupportedType } from './types'

const RACE = 'the driver currently offers none; it can report 0 while a vGPU starts'

const existing = (facts: PgpuFacts): string => formatNoun(facts.vgpus.length, 'existing vGPU')

const existingTypeIds = (facts: PgpuFacts): string[] => [
  ...new Set(facts.vgpus.map((vgpu) => vgpu.typeId).filter((typeId) => typeId !== null)),
]

/**
 * NVIDIA's time-sliced cards take vGPUs of one framebuffer size (NVIDIA A2 dump: with one 4 GB vGPU made, 4Q, 4A and 4C
 * stay), older drivers one type only (vGPU 8 guide). Other makers' types share what memory there is.
 */
const hasExclusiveTypes = ({ gpu }: PgpuFacts): boolean => gpu.vendorId === '10de'

type Exclusivity = 'size' | 'type' | 'unknown'

/** What keeps a card from types that none of its vGPUs has: the same for all of them, so it is worked out once a card. */
type Lock = { exclusivity: Exclusivity; typeIds: readonly string[]; reason: string }

/**
 * Which of both rules a card follows, derived from what it still offers in addition to its vGPUs; a full card does not
 * show it. Null: none applies.
 */
const exclusivityOf = (facts: PgpuFacts, typeIds: readonly string[]): Exclusivity | null => {
  if (facts.vgpus.length === 0 || !hasExclusiveTypes(facts)) return null
  if (typeIds.length > 1) return 'size'
  const [own] = typeIds
  const held = facts.types?.find((type) => type.facts.typeId === own)
  if (held === undefined) return 'unknown'
  const siblings = (facts.types ?? []).filter(
    ({ facts: { typeId, framebufferMib, isMigBacked, maxInstance } }) =>
      typeId !== own &&
      framebufferMib !== null &&
      framebufferMib === held.facts.framebufferMib &&
      isMigBacked === held.facts.isMigBacked &&
      (maxInstance === null || maxInstance > facts.vgpus.length),
  )
  const offered = siblings.filter((type) => (creatableFor(facts, type).value ?? 0) > 0)
  if (offered.length > 0) return 'size'
  const isOwnOffered = (creatableFor(facts, held).value ?? 0) > 0
  const areSiblingsFull = siblings.every((type) => creatableFor(facts, type).value === 0)
  return isOwnOffered && siblings.length > 0 && areSiblingsFull ? 'type' : 'unknown'
}

/** Why a card with vGPUs takes none of a type that none of them has. */
const lockReason = (facts: PgpuFacts, { exclusivity, typeIds }: Omit<Lock, 'reason'>): string => {
  const [first = '', ...others] = typeIds
  const [size] = facts.sizes
  const { shortName } = typeFactsById(facts, first)
  if (facts.sizes.size > 1) return `locked by ${existing(facts)} of several sizes`
  if (exclusivity === 'size' && typeof size === 'number')
    return `locked to ${formatMib(size)} types by ${existing(facts)}`
  if (exclusivity === 'type') return `locked to ${shortName} by ${existing(facts)}`
  return others.length === 0
    ? `locked by ${facts.vgpus.length} existing ${shortName}`
    : `locked by ${existing(facts)} of other types`
}

const migReason = (facts: PgpuFacts, type: CardType): string | null => {
  if (facts.smi?.migMode === 'disabled' && type.facts.isMigBacked) return 'needs MIG mode, which is off'
  if (facts.smi?.migMode === 'enabled' && !type.facts.isMigBacked) return 'MIG mode is on'
  return type.facts.isMigBacked ? 'no free GPU instance of its size' : null
}

const lockOf = (facts: PgpuFacts): Lock | null => {
  const typeIds = existingTypeIds(facts)
  const exclusivity = exclusivityOf(facts, typeIds)
  if (exclusivity === null || typeIds.length === 0) return null
  return { exclusivity, typeIds, reason: lockReason(facts, { exclusivity, typeIds }) }
}

const areAllFunctionsTaken = ({ vgpus, parents }: PgpuFacts): boolean => {
  if (parents.length < 2) return false
  const taken = new Set(vgpus.map((vgpu) => vgpu.address))
  return parents.every((parent) => taken.has(parent))
}

const zeroReason = (facts: PgpuFacts, type: CardType, cardLock: Lock | null): string => {
  const mig = migReason(facts, type)
  if (mig !== null) return mig
  if (facts.vgpus.length === 0) return RACE
  const lock = cardLock?.typeIds.includes(type.facts.typeId) === false ? cardLock : null
  if (lock !== null && (lock.exclusivity === 'type' || hasOtherSize(facts, type.facts))) return lock.reason
  const max = type.facts.maxInstance
  if (max !== null && facts.vgpus.length >= max) return 'full'
  if (areAllFunctionsTaken(facts)) return 'all virtual functions are in use'
  if (lock?.exclusivity === 'unknown') return lock.reason
  return max === null ? `no capacity left because of ${existing(facts)}` : RACE
}

const limitReason = (
  facts: PgpuFacts,
  { type, creatable, lock }: { type: CardType; creatable: number | null; lock: Lock | null },
): string | null => {
  const max = type.facts.maxInstance
  if (creatable === null) return creatableFor(facts, type).reason
  if (creatable === 0) return zeroReason(facts, type, lock)
  if (max === null || creatable >= max) return null
  if (type.facts.isMigBacked && (type.maxPerInstance ?? 1) > 1)
    return `its GPU instances have capacity for ${creatable} more`
  if (type.facts.isMigBacked)
    return `only ${formatNoun(creatable, 'GPU instance')} of its size ${creatable === 1 ? 'is' : 'are'} free`
  if (facts.vgpus.length + creatable >= max)
    return `${formatNoun(facts.vgpus.length, 'vGPU uses', 'vGPUs use')} the other ${max - creatable === 1 ? 'one' : `${max - creatable}`}`
  if (facts.parents.length > 1)
    return `only ${formatNoun(creatable, 'virtual function is', 'virtual functions are')} free`
  return `the driver currently offers ${creatable}`
}

/**
 * How many vGPUs of a type the whole card takes: the driver's maximum. If the driver reports none, the current type has
 * the card's capacity, and an empty card offers its maximum.
 */
const fitOf = (facts: PgpuFacts, type: CardType, current: CurrentFit): number | null => {
  const { maxInstance, typeId } = type.facts
  if (maxInstance !== null) return maxInstance
  if (typeId === current.typeId) return current.capacity
  const isEmpty = facts.framework === 'mdev' && facts.mdevs !== null && facts.vgpus.length === 0
  return isEmpty ? creatableFor(facts, type).value : null
}

type CurrentFit = { typeId: string | null; capacity: number | null }

/** The types that a card offers, with how many more could be created now and why not more. Null when it offers none. */
export const supportedTypes = (facts: PgpuFacts, current: CurrentFit): SupportedType[] | null => {
  if (facts.types === null) return null
  const lock = lockOf(facts)
  return facts.types.map((type) => {
    const creatable = creatableFor(facts, type).value
    const { typeId, name, shortName, framebufferMib, heads } = type.facts
    const { maxResolution, frameRateLimit, isMigBacked } = type.facts
    return {
      typeId,
      name,
      shortName,
      framebufferMib,
      heads,
      maxResolution,
      frameRateLimit,
      maxInstance: fitOf(facts, type, current),
      isMigBacked,
      creatable,
      limitReason: limitReason(facts, { type, creatable, lock }),
      isFromStore: false,
    }
  })
}
