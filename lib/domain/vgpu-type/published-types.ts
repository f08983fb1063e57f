import { PUBLISHED_TYPE_IDS } from './published-type-ids'
import { PUBLISHED_ROWS, PUBLISHED_SOURCES } from './published-type-table'
import { parseTypeName, type TypeName } from './type-name'

/** A card as far as the published table distinguishes cards. */
export type PublishedCard = {
  /** Null: unknown. */
  model: string | null
  /** Null: unknown. */
  framebufferMib: number | null
}

/** What was published of a vGPU type on a card. */
export type PublishedType = {
  shortName: string
  /** Per physical GPU, all of one size. */
  maxPerGpu: number
  /** Per GPU instance, where several vGPUs share one; null: not published. */
  maxPerInstance: number | null
  framebufferMib: number | null
  /** Where it was published, and when. */
  source: string
}

const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/**
 * Recognizes models of the chip that type names begin with: `RTXA6000` finds `NVIDIA RTX A6000`, `A100DX` finds
 * `NVIDIA A100-SXM4-80GB`. Letters after the number differ between models and types.
 */
const chipPattern = (gpu: string): RegExp | null => {
  const chip = /^[A-Z]*\d+/.exec(plain(gpu))?.[0]
  return chip === undefined ? null : new RegExp(`${[...chip].join('[^A-Z0-9]*')}(?!\\d)`, 'i')
}

type Entry = { row: (typeof PUBLISHED_ROWS)[number]; chip: RegExp | null; type: PublishedType }

/** A model without a name is shown by its PCI id: `NVIDIA 10de:2bb9`. */
const isNamed = (model: string): boolean => !/(^|\s)[0-9a-f]{4}:[0-9a-f?]{4}$/.test(model)

/** Rows that name a card hold for that card only; the others hold unless the card's name is of another chip. */
const isOfCard = ({ row, chip }: Pick<Entry, 'row' | 'chip'>, card: PublishedCard): boolean => {
  const model = card.model !== null && isNamed(card.model) ? card.model : null
  if (row.model !== undefined) return model !== null && plain(model).includes(plain(row.model))
  return model === null || chip === null || chip.test(model)
}

/** Names of types round the framebuffer up, and ECC takes a part of it. */
const TOLERANCE = 1.15

const isTooLarge = ({ maxPerGpu, framebufferMib }: PublishedType, card: PublishedCard): boolean =>
  card.framebufferMib !== null &&
  framebufferMib !== null &&
  maxPerGpu * framebufferMib > card.framebufferMib * TOLERANCE

const perInstance = (slices: number | undefined, name: TypeName | null, maxPerGpu: number): number | null =>
  slices === undefined || name === null || name.migSlices === null
    ? null
    : Math.floor(maxPerGpu / Math.max(1, Math.floor(slices / name.migSlices)))

const readEntry = (row: (typeof PUBLISHED_ROWS)[number], entry: string): PublishedType | null => {
  const match = /^([^:]+):(\d+)(?:@(\d+))?$/.exec(entry)
  if (match === null) return null
  const shortName = `${row.gpu}-${match[1]}`
  const name = parseTypeName(shortName)
  const nominal = name?.nominalGib ?? 0
  const { source, date } = PUBLISHED_SOURCES[row.from]
  const maxPerGpu = Number(match[2])
  return {
    shortName,
    maxPerGpu,
    maxPerInstance: perInstance(row.slices, name, maxPerGpu),
    framebufferMib: match[3] !== undefined ? Number(match[3]) : nominal === 0 ? null : nominal * 1024,
    source: `${source} (${date})`,
  }
}

let entriesByName: ReadonlyMap<string, Entry[]> | null = null

const readEntries = (): ReadonlyMap<string, Entry[]> => {
  const entries = PUBLISHED_ROWS.flatMap((row) => {
    const chip = chipPattern(row.gpu)
    return row.types.split(' ').flatMap((text): Entry[] => {
      const type = readEntry(row, text)
      return type === null ? [] : [{ row, chip, type }]
    })
  })
  const byName = new Map<string, Entry[]>()
  for (const entry of entries)
    byName.set(entry.type.shortName, [...(byName.get(entry.type.shortName) ?? []), entry])
  return byName
}

const findEntry = (shortName: string, card: PublishedCard): PublishedType | null => {
  entriesByName ??= readEntries()
  const found = entriesByName
    .get(shortName)
    ?.find((entry) => isOfCard(entry, card) && !isTooLarge(entry.type, card))
  return found?.type ?? null
}

/**
 * A, B and Q types of one size have one maximum in each published table (NVIDIA Virtual GPU Software User Guide 8.0, 1.4.1;
 * sysfs of an A2). C types may have a lower one.
 */
const SAME_MAXIMUM: readonly TypeName['series'][] = ['Q', 'B', 'A']

const nameWith = (name: TypeName, series: TypeName['series']): string =>
  `${name.gpu}-${name.migSlices === null ? '' : `${name.migSlices}-`}${name.nominalGib}${series}`

/** The published type of a short name (`L40S-16Q`) on a card; null when the table has none for the card. */
export const publishedType = (shortName: string, card: PublishedCard): PublishedType | null => {
  const name = parseTypeName(shortName)
  if (name === null) return null
  const own = findEntry(shortName, card)
  if (own !== null) return own
  if (name.attribute !== null || !SAME_MAXIMUM.includes(name.series)) return null
  for (const series of SAME_MAXIMUM) {
    const sister = findEntry(nameWith(name, series), card)
    if (sister !== null) return { ...sister, shortName, source: `${sister.shortName} in ${sister.source}` }
  }
  return null
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

/** Published types with known ids of a card whose type names begin with `gpu`; empty when none is known. */
export const publishedIdsOf = (
  gpu: string,
  card: PublishedCard,
): { typeId: string; type: PublishedType }[] => {
  const entries = Object.hasOwn(PUBLISHED_TYPE_IDS, gpu) ? (PUBLISHED_TYPE_IDS[gpu] ?? '') : ''
  return entries.split(' ').flatMap((entry) => {
    const [id, rest] = entry.split(':')
    const type = rest === undefined ? null : publishedType(`${gpu}-${rest}`, card)
    return type === null ? [] : [{ typeId: `nvidia-${id}`, type }]
  })
}
