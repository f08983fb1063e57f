import { nameForModel } from '@/lib/domain/vgpu-type/name-for-model'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Pgpu, SupportedType } from './types'

/** What is stored of a type for a model, the most complete text first. */
const storedFor = (typeId: string, stored: readonly TypeFacts[], model: string): TypeFacts | null => {
  const known = stored.filter((type) => type.typeId === typeId && type.name !== null)
  const named = nameForModel(known, model)
  return known.find((type) => type.shortName === named?.shortName && type.heads !== null) ?? named
}

const fillFacts = <Facts extends TypeFacts>(type: Facts, known: TypeFacts): Facts => ({
  ...type,
  shortName: type.name === null ? known.shortName : type.shortName,
  framebufferMib: type.framebufferMib ?? known.framebufferMib,
  heads: type.heads ?? known.heads,
  maxResolution: type.maxResolution ?? known.maxResolution,
  frameRateLimit: type.frameRateLimit ?? known.frameRateLimit,
  isMigBacked: type.isMigBacked || known.isMigBacked,
})

const isChanged = (before: TypeFacts, after: TypeFacts): boolean =>
  before.shortName !== after.shortName ||
  before.framebufferMib !== after.framebufferMib ||
  before.heads !== after.heads ||
  before.maxResolution !== after.maxResolution ||
  before.frameRateLimit !== after.frameRateLimit

/**
 * A vendor-VFIO pGPU with the values that its driver does not give (names of types on a full card, heads, resolution)
 * from `stored`, the facts that any host has reported of these types. Numbers stay those of the host; filled types are
 * marked `isFromStore`.
 */
export const fillTypes = (pgpu: Pgpu, stored: readonly TypeFacts[]): Pgpu => {
  if (pgpu.framework !== 'vendor-vfio' || pgpu.supportedTypes === null) return pgpu
  const fill = <Facts extends TypeFacts>(type: Facts): Facts => {
    const known = storedFor(type.typeId, stored, pgpu.model)
    return known === null ? type : fillFacts(type, known)
  }
  const supportedTypes = pgpu.supportedTypes.map((type): SupportedType => {
    const filled = fill(type)
    return isChanged(type, filled) ? { ...filled, isFromStore: true } : type
  })
  const nameOf = new Map(supportedTypes.map((type) => [type.typeId, type.shortName]))
  return {
    ...pgpu,
    supportedTypes,
    currentType: pgpu.currentType === null ? null : fill(pgpu.currentType),
    cells: pgpu.cells.map((cell) => ({
      ...cell,
      typeName: cell.typeId === null ? null : (nameOf.get(cell.typeId) ?? cell.typeName),
    })),
  }
}
