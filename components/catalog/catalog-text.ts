import { vgpuReleaseLabel } from '@/lib/domain/vgpu-type/vgpu-release'
import { listText } from '@/lib/domain/wording'
import type { CatalogCard, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { formatMib } from '@/lib/util/format'

type Purpose = CatalogFlavor['purposes'][number]

export const PURPOSE_LABELS: Readonly<Record<Purpose, string>> = {
  desktop: 'Desktop',
  cad: 'CAD',
  rendering: 'Rendering',
  training: 'Training',
  inference: 'Inference',
}

const IN_A_SENTENCE: Readonly<Record<Purpose, string>> = {
  desktop: 'desktops',
  cad: 'CAD',
  rendering: 'rendering',
  training: 'training',
  inference: 'inference',
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)]
const orText = (words: readonly string[]): string => distinct(words).join(' or ')

/** "NVIDIA" is pronounced with a vowel at its beginning. */
const withArticle = (name: string): string => `${/^(NV|[AEIO])/i.test(name) ? 'an' : 'a'} ${name}`

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const numberWord = (count: number): string => NUMBERS[count] ?? String(count)
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const onePart = ({ model, typeName, perCard }: CatalogCard): string => {
  const card = withArticle(model)
  if (typeName === null) return `a whole ${model}`
  if (perCard === 1) return `a whole ${model}, as a vGPU`
  return perCard === 2 ? `half ${card}` : `a slice of ${card}`
}

const severalParts = ({ model, typeName, perCard }: CatalogCard, gpus: number): string =>
  typeName === null || perCard === 1
    ? `${numberWord(gpus)} whole ${model}`
    : `${numberWord(gpus)} slices of ${withArticle(model)}`

/** More kinds in a title would not be readable. */
const MAX_KINDS = 3

/** What a server gets, in a few words: `A slice of an NVIDIA L40S`. */
export const flavorTitle = ({ cards, gpus }: Pick<CatalogFlavor, 'cards' | 'gpus'>): string => {
  const parts = distinct(cards.map((card) => (gpus > 1 ? severalParts(card, gpus) : onePart(card))))
  if (parts.length > 0 && parts.length <= MAX_KINDS) return capitalized(parts.join(' or '))
  const what = gpus > 1 ? `${capitalized(numberWord(gpus))} GPUs` : 'A GPU'
  return parts.length === 0 ? `${what}, model unknown` : `${what}, model depends on availability`
}

/** `For training and inference.`; null: nothing is known of it. */
export const purposeSentence = ({ purposes }: Pick<CatalogFlavor, 'purposes'>): string | null =>
  purposes.length === 0
    ? null
    : `For ${listText(
        purposes.map((purpose) => IN_A_SENTENCE[purpose]),
        PURPOSE_COUNT,
      )}.`

const PURPOSE_COUNT = Object.keys(PURPOSE_LABELS).length

/** Null: unknown for one of the cards. */
const ofCards = (
  cards: readonly CatalogCard[],
  wordOf: (card: CatalogCard) => string | null,
): string | null => {
  const words = cards.map(wordOf)
  return words.length === 0 || words.includes(null) ? null : orText(words.filter((word) => word !== null))
}

/** `16 GiB`, `2 × 24 GiB`. */
export const formatMemory = ({ cards, gpus }: Pick<CatalogFlavor, 'cards' | 'gpus'>): string | null => {
  const one = ofCards(cards, ({ memoryMib }) => (memoryMib === null ? null : formatMib(memoryMib)))
  return one === null || gpus < 2 ? one : `${gpus} × ${one}`
}

const displaysOf = ({ series, typeName, displays, maxResolution }: CatalogCard): string | null => {
  if (typeName === null) return 'depends on the card'
  if (series === 'C') return 'none (compute only)'
  if (displays === null) return null
  const count = displays > 1 ? `up to ${displays}` : String(displays)
  return maxResolution === null ? count : `${count}, ${maxResolution.replace('x', ' × ')}`
}

export const formatDisplays = ({ cards }: Pick<CatalogFlavor, 'cards'>): string | null =>
  ofCards(cards, displaysOf)

const LICENSES: Readonly<Record<NonNullable<CatalogCard['series']>, string>> = {
  Q: 'RTX vWS (workstations)',
  B: 'vPC (office desktops)',
  A: 'vApps (streamed applications)',
  C: 'AI Enterprise (computing)',
}

/** The license that the guest's driver needs, by NVIDIA's series. */
export const formatLicenses = ({ cards }: Pick<CatalogFlavor, 'cards'>): string | null =>
  ofCards(cards, ({ series, typeName }) =>
    series !== null ? LICENSES[series] : typeName === null ? 'not required for compute' : null,
  )

/** Which of NVIDIA's drivers an image needs; null: not known, or none in particular. */
export const formatDrivers = ({ driverBranches }: Pick<CatalogFlavor, 'driverBranches'>): string | null =>
  driverBranches === null ? null : orText(driverBranches.map(vgpuReleaseLabel))

const AVAILABILITY_LABELS: Readonly<Record<CatalogFlavor['availability'], string>> = {
  free: 'Available',
  few: 'Few left',
  none: 'Not available',
  unknown: 'Unknown',
}

const WAIT_LABELS: Readonly<Record<NonNullable<CatalogFlavor['usualWait']>, string>> = {
  hours: 'usually available within a few hours',
  day: 'usually available within a day',
  days: 'usually available within three days',
  week: 'usually available within a week',
}

/** How much is free, and when there usually is one again. */
export const formatAvailability = ({
  availability,
  usualWait,
}: Pick<CatalogFlavor, 'availability' | 'usualWait'>): string =>
  usualWait === null
    ? AVAILABILITY_LABELS[availability]
    : `${AVAILABILITY_LABELS[availability]}, ${WAIT_LABELS[usualWait]}`

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  VGPU: 'vGPUs',
  VCPU: 'vCPUs',
  PCPU: 'dedicated CPUs',
  MEMORY_MB: 'memory',
  DISK_GB: 'disk',
}

/** Resources other than GPUs, which a project requests elsewhere. */
const PLAIN_LIMITS = new Set(['servers', 'class:VCPU', 'class:PCPU', 'class:MEMORY_MB', 'class:DISK_GB'])

/** The name of `class:VGPU` for tenants. */
export const limitName = (resourceName: string): string => {
  const name = resourceName.replace(/^class:/, '')
  return LIMIT_NAMES[name] ?? name.replace(/^CUSTOM_/, '')
}

const SINGULAR: Readonly<Record<string, string>> = {
  servers: 'server',
  'class:VGPU': 'vGPU',
  'class:VCPU': 'vCPU',
  'class:PCPU': 'dedicated CPU',
}

const formatFigure = (resourceName: string, amount: number): string => {
  if (resourceName === 'class:MEMORY_MB') return formatMib(amount)
  return resourceName === 'class:DISK_GB' ? `${amount} GiB` : String(amount)
}

/** `2 vGPUs`, `16 GiB of memory`. */
const formatAmount = (resourceName: string, amount: number): string => {
  const figure = formatFigure(resourceName, amount)
  const name = (amount === 1 ? SINGULAR[resourceName] : undefined) ?? limitName(resourceName)
  return `${figure}${figure.endsWith('iB') ? ' of' : ''} ${name}`
}

/** What the own limits say to one more; null: nothing to say. */
export const limitSentence = ({ headroom }: Pick<CatalogFlavor, 'headroom'>): string | null => {
  if (headroom.state === 'unknown') return 'The use of your project could not be read.'
  if (headroom.state === 'short')
    return headroom.short
      .map(
        ({ resourceName, limit, used, needs }) =>
          `Needs ${formatAmount(resourceName, needs)}. Your project has ${formatFigure(resourceName, Math.max(0, limit - used))} left.`,
      )
      .join(' ')
  if (headroom.more === null) return null
  return headroom.more === 1 ? 'Your quota allows 1 more.' : `Your quota allows ${headroom.more} more.`
}

/** How to start several (bug 1874664); null: there is nothing to mind. */
export const startSentence = ({ startsTogether, gpus }: CatalogFlavor): string | null => {
  if (gpus > 1) return 'Servers with one GPU each are more likely to start than one server with several.'
  return startsTogether === false
    ? 'Create servers one at a time. A request for several servers may fail although capacity is free.'
    : null
}

/** A short note about both on a card. */
export const cardNote = (flavor: CatalogFlavor): string | null => {
  const { headroom, cards, gpus, startsTogether } = flavor
  const fits = limitSentence(flavor)
  if (headroom.state !== 'available') return fits
  const isAlone = cards.length > 0 && cards.every(({ perCard }) => perCard === 1)
  const start =
    gpus > 1
      ? startSentence(flavor)
      : isAlone
        ? 'The card is not shared.'
        : startsTogether === false
          ? 'Create servers one at a time.'
          : null
  const words = [start, fits].filter((word) => word !== null)
  return words.length === 0 ? null : words.join(' ')
}

/** The class of GPUs to request; null: the short resource, if any, cannot be requested here. */
export const requestableClass = ({ headroom }: Pick<CatalogFlavor, 'headroom'>): string | null =>
  headroom.state === 'short'
    ? (headroom.short.find(({ resourceName }) => !PLAIN_LIMITS.has(resourceName))?.resourceName ?? null)
    : null

/** Whether a server can be started now as far as is known. */
export const isUnavailable = ({ headroom, availability }: CatalogFlavor): boolean =>
  headroom.state === 'short' || availability === 'none'
