import { parseTypeDescription } from './parse-description'
import { publishedTypeName } from './published-types'
import { parseTypeName, shortTypeName } from './type-name'

/** A vGPU type with the driver's description taken apart. Null: the driver does not say. */
export type TypeFacts = {
  /** `nvidia-222`; for vendor VFIO `nvidia-<decimal id>` too. */
  typeId: string
  /** `GRID T4-16C`, `NVIDIA A40-4Q`; null when the host does not name it. */
  name: string | null
  /** Token after the last space of NVIDIA's name: `T4-16C`; others' whole name. Falls back to the published name, then to the type id. */
  shortName: string
  framebufferMib: number | null
  heads: number | null
  maxResolution: string | null
  frameRateLimit: number | null
  /** vGPUs of this type that one whole pGPU holds. */
  maxInstance: number | null
  isMigBacked: boolean
}

/** NVIDIA puts a product before the type's name; `Dual port serial` of the kernel's mtty is one name. */
const shortNameOf = ({ typeId, name }: { typeId: string; name: string | null }): string => {
  if (name === null || name.trim() === '') return publishedTypeName(typeId) ?? typeId
  return typeId.startsWith('nvidia-') ? shortTypeName(name) : name.trim()
}

/**
 * A vGPU type as the driver words it, taken apart. What the driver does not say is null; only the short name of a type that
 * the driver gives no name is looked up among the published ones.
 * The framebuffer falls back to the whole gigabytes of an NVIDIA name (`L40S-16Q` → 16384), which vendor VFIO needs.
 */
export const readTypeFacts = (type: {
  typeId: string
  name: string | null
  description: string | null
}): TypeFacts => {
  const shortName = shortNameOf(type)
  const parsed = parseTypeName(shortName)
  const description = parseTypeDescription(type.description)
  const nominalMib = parsed === null || parsed.nominalGib === 0 ? null : parsed.nominalGib * 1024
  return {
    typeId: type.typeId,
    name: type.name,
    shortName,
    framebufferMib: description.framebufferMib ?? nominalMib,
    heads: description.heads,
    maxResolution: description.maxResolution,
    frameRateLimit: description.frameRateLimit,
    maxInstance: description.maxInstance,
    isMigBacked: parsed !== null && parsed.migSlices !== null,
  }
}
