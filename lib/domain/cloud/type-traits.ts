import type { TypeFacts } from '@/lib/domain/pgpu/types'

/** A text as a custom trait or class: capitals, everything else becomes an underscore, `CUSTOM_` in front (≤ 255). */
const customName = (text: string): string =>
  `CUSTOM_${text.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, 255)

const remembered = new WeakMap<object, Set<string>>()

/** The traits that name a vGPU type: by its id, its short name and the driver's name, with and without the product. */
export const traitsNaming = (type: Pick<TypeFacts, 'typeId' | 'name' | 'shortName'>): ReadonlySet<string> => {
  const held = remembered.get(type) ?? nameTraits(type)
  remembered.set(type, held)
  return held
}

const nameTraits = ({
  typeId,
  name,
  shortName,
}: Pick<TypeFacts, 'typeId' | 'name' | 'shortName'>): Set<string> =>
  new Set(
    [
      typeId,
      shortName,
      name ?? shortName,
      `NVIDIA ${shortName}`,
      `GRID ${shortName}`,
      `VGPU ${shortName}`,
      `VGPU ${typeId}`,
    ].map(customName),
  )
