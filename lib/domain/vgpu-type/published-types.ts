import { PUBLISHED_TYPE_IDS } from './published-type-ids'
import { PUBLISHED_TYPES } from './published-type-table'
import { parseTypeName } from './type-name'

/** What NVIDIA has published of a vGPU type. For names, pick lists and planning; what a card can do, its host says. */
export type PublishedType = {
  shortName: string
  /** Per physical GPU, all of one size. */
  maxPerGpu: number
  framebufferMib: number | null
}

/** Where a number from the table is said to come from. */
export const PUBLISHED_SOURCE = 'table of vGPU types published by NVIDIA, not this host'

const readEntry = (gpu: string, entry: string): PublishedType | null => {
  const match = /^([^:]+):(\d+)(?:@(\d+))?$/.exec(entry)
  if (match === null) return null
  const shortName = `${gpu}-${match[1]}`
  const nominal = parseTypeName(shortName)?.nominalGib ?? 0
  return {
    shortName,
    maxPerGpu: Number(match[2]),
    framebufferMib: match[3] !== undefined ? Number(match[3]) : nominal === 0 ? null : nominal * 1024,
  }
}

/** All published types of the GPU that a type name starts with: `A40` for `A40-4Q`. Empty when none is known. */
export const publishedTypesOf = (gpu: string): PublishedType[] => {
  const entries = Object.hasOwn(PUBLISHED_TYPES, gpu) ? (PUBLISHED_TYPES[gpu] ?? '') : ''
  return entries
    .split(' ')
    .map((entry) => readEntry(gpu, entry))
    .filter((type) => type !== null)
}

/** The published type of a short name (`L40S-16Q`); null when the table has none. */
export const publishedType = (shortName: string): PublishedType | null => {
  const gpu = parseTypeName(shortName)?.gpu
  if (gpu === undefined) return null
  return publishedTypesOf(gpu).find((type) => type.shortName === shortName) ?? null
}

let namesById: ReadonlyMap<string, string> | null = null

const readNames = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(PUBLISHED_TYPE_IDS).flatMap(([gpu, entries]) =>
      entries.split(' ').map((entry): [string, string] => {
        const [id, rest] = entry.split(':')
        return [`nvidia-${id}`, `${gpu}-${rest}`]
      }),
    ),
  )

/** The published short name of a type id: `L40S-16Q` for `nvidia-1154`; null when the table has none. */
export const publishedTypeName = (typeId: string): string | null => {
  namesById ??= readNames()
  return namesById.get(typeId) ?? null
}

/** The published type of an id (`nvidia-1154`) on the GPU that type names begin with; null when the table has none. */
export const publishedTypeById = (gpu: string, typeId: string): PublishedType | null => {
  const entries = Object.hasOwn(PUBLISHED_TYPE_IDS, gpu) ? (PUBLISHED_TYPE_IDS[gpu] ?? '') : ''
  const entry = entries.split(' ').find((text) => `nvidia-${text.split(':')[0]}` === typeId)
  return entry === undefined ? null : publishedType(`${gpu}-${entry.split(':')[1]}`)
}

/** Ids of all types that NVIDIA has published for a GPU; empty when none is known. */
export const publishedTypeIdsOf = (gpu: string): string[] =>
  (Object.hasOwn(PUBLISHED_TYPE_IDS, gpu) ? (PUBLISHED_TYPE_IDS[gpu] ?? '') : '')
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => `nvidia-${text.split(':')[0]}`)
