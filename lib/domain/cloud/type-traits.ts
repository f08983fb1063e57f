import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'

type NamedType = Pick<TypeFacts, 'typeId' | 'name' | 'shortName'>

const LONGEST = 255

/** Converts a text into a part of a trait's name: capitals, and everything else becomes an underscore. */
export const traitNamePart = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '_')

/** A text as a custom trait or class, `CUSTOM_` in front (≤ 255). */
const customName = (text: string): string => `CUSTOM_${traitNamePart(text)}`.slice(0, LONGEST)

/** The naming rule that a plan starts with: `CUSTOM_NVIDIA_A40_4Q`. */
export const DEFAULT_TRAIT_RULE = 'CUSTOM_{vendor}_{type}'

/** By PCI vendor id. */
export const VENDOR_NAMES: Readonly<Record<string, string>> = {
  '10de': 'NVIDIA',
  '1002': 'AMD',
  '8086': 'INTEL',
}

/**
 * The trait that a naming rule gives a vGPU type: `{vendor}` by PCI vendor id, `{type}` its short name, `{id}` its id.
 * A vendor that is not known by name is left out with its underscore. At most 255 characters.
 */
export const traitOfType = (
  rule: string,
  { type, vendorId }: { type: NamedType; vendorId: string | null },
): string => {
  const vendor = VENDOR_NAMES[vendorId ?? '']
  return rule
    .replace(/\{vendor\}_?/g, (text) => (vendor === undefined ? '' : text.replace('{vendor}', vendor)))
    .replaceAll('{type}', traitNamePart(type.shortName))
    .replaceAll('{id}', traitNamePart(type.typeId))
    .slice(0, LONGEST)
}

const remembered = new WeakMap<object, Set<string>>()

/** The traits that name a vGPU type: by its id, its short name and the driver's name, with and without the product. */
export const traitsNaming = (type: NamedType): ReadonlySet<string> => {
  const held = remembered.get(type) ?? nameTraits(type)
  remembered.set(type, held)
  return held
}

const nameTraits = (type: NamedType): Set<string> => new Set(habitualTraits(type))

/** The first of these types that a trait names; null when it names none. */
export const typeNamedBy = <Type extends NamedType>(types: readonly Type[], trait: string): Type | null =>
  types.find((type) => traitsNaming(type).has(trait)) ?? null

/** The same names in the same order for every type, so that a type's trait can be named as another's was. */
const habitualTraits = (type: NamedType): string[] => [
  traitOfType(DEFAULT_TRAIT_RULE, { type, vendorId: '10de' }),
  ...[
    type.typeId,
    type.shortName,
    type.name ?? type.shortName,
    `GRID ${type.shortName}`,
    `VGPU ${type.shortName}`,
    `VGPU ${type.typeId}`,
  ].map(customName),
]

/** The trait of a type, named as `trait` names another type; null when it does not. */
export const traitNamedAlike = (
  trait: string,
  { from, to }: { from: NamedType; to: NamedType },
): string | null => {
  const index = habitualTraits(from).indexOf(trait)
  return index === -1 ? null : (habitualTraits(to)[index] ?? null)
}
