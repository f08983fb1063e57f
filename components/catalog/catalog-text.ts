import { amountText, parseAmount } from '@/lib/domain/price/amount'
import { vgpuReleaseLabel } from '@/lib/domain/vgpu-type/vgpu-release'
import type { CatalogCard, CatalogFlavor, CatalogIsolation, CatalogPurpose } from '@/lib/schemas/api/catalog'
import { formatCount, formatMib } from '@/lib/util/format'
import { formatMoney } from '@/lib/util/format-money'

export const PURPOSE_LABELS: Readonly<Record<CatalogPurpose, string>> = {
  desktop: 'Desktop',
  cad: 'CAD',
  rendering: 'Rendering',
  training: 'Training',
  inference: 'Inference',
}

export const ISOLATION_LABELS: Readonly<Record<CatalogIsolation, string>> = {
  'time-sliced': 'time-sliced',
  mig: 'MIG',
  whole: 'whole card',
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)]
const orText = (words: readonly string[]): string => distinct(words).join(' or ')

/** `NVIDIA A40, 4 GiB`. */
const gpuText = ({ model, memoryMib }: CatalogCard): string =>
  memoryMib === null ? model : `${model}, ${formatMib(memoryMib)}`

/** More kinds in a title would not be readable. */
const MAX_KINDS = 3

/** What a server gets, in a few words: `NVIDIA L40S, 12 GiB`. */
export const flavorTitle = ({ cards, gpus }: Pick<CatalogFlavor, 'cards' | 'gpus'>): string => {
  const kinds = distinct(cards.map(gpuText))
  const count = gpus > 1 ? `${formatCount(gpus)} × ` : ''
  if (kinds.length > 0 && kinds.length <= MAX_KINDS) return `${count}${kinds.join(' or ')}`
  const noun = gpus > 1 ? 'GPUs' : 'GPU'
  return `${count}${noun}, model ${kinds.length === 0 ? 'unknown' : 'depends on availability'}`
}

/** `Training, rendering`; null: none is known. */
export const purposeText = ({ purposes }: Pick<CatalogFlavor, 'purposes'>): string | null =>
  purposes.length === 0
    ? null
    : purposes
        .map((purpose, index) =>
          index === 0 || purpose === 'cad' ? PURPOSE_LABELS[purpose] : PURPOSE_LABELS[purpose].toLowerCase(),
        )
        .join(', ')

/** `8 vCPU, 64 GiB, 80 GiB disk`. */
export const sizeText = ({ vcpus, memoryMib, diskGib }: CatalogFlavor): string =>
  `${formatCount(vcpus)} vCPU, ${formatMib(memoryMib)}, ${formatCount(diskGib)} GiB disk`

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

const shareOf = ({ share }: CatalogCard): string | null => {
  if (share === null) return null
  const { compute, memory, perInstance } = share
  const fraction = `${compute.part}/${compute.of}`
  if (perInstance !== null) return `${fraction} compute, shared by up to ${perInstance}`
  if (compute.part === compute.of) return 'whole GPU'
  return memory === null
    ? `${fraction} of the GPU`
    : `${fraction} compute, ${memory.part}/${memory.of} memory`
}

/** `1/4 of the GPU`, `1/7 compute, 1/8 memory`, `whole GPU`; null: unknown. */
export const shareText = ({ cards, gpus }: Pick<CatalogFlavor, 'cards' | 'gpus'>): string | null => {
  const one = ofCards(cards, shareOf)
  return one === null || gpus < 2 ? one : `${formatCount(gpus)} × ${one}`
}

/** Why the share is unknown. */
export const unknownShare = ({ cards }: Pick<CatalogFlavor, 'cards'>): string => {
  if (cards.length === 0) return 'the GPU model is unknown'
  return cards.some(({ isolation }) => isolation === 'mig')
    ? 'the MIG slices of this GPU are not published'
    : 'the driver does not report how many vGPUs share a GPU'
}

export const isolationText = ({ cards }: Pick<CatalogFlavor, 'cards'>): string | null =>
  ofCards(cards, ({ isolation }) => (isolation === null ? null : ISOLATION_LABELS[isolation]))

const performanceOf = ({ isolation, share }: CatalogCard): string | null => {
  if (isolation === null || (isolation === 'mig' && share === null)) return null
  if (isolation === 'time-sliced') return 'varies with load on the GPU'
  return (share?.perInstance ?? null) === null ? 'reserved' : 'varies with load on the MIG instance'
}

/** Whether other servers slow it down. */
export const performanceText = ({ cards }: Pick<CatalogFlavor, 'cards'>): string | null =>
  ofCards(cards, performanceOf)

const displaysOf = ({ series, isolation, typeName, displays, maxResolution }: CatalogCard): string | null => {
  if (typeName === null) return isolation === 'whole' ? 'depends on the card' : null
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
  ofCards(cards, ({ series, typeName, isolation }) => {
    if (series !== null) return LICENSES[series]
    return typeName === null && isolation === 'whole' ? 'not required for compute' : null
  })

/** Which of NVIDIA's drivers an image needs; null: not known, or none in particular. */
export const formatDrivers = ({ driverBranches }: Pick<CatalogFlavor, 'driverBranches'>): string | null =>
  driverBranches === null ? null : orText(driverBranches.map(vgpuReleaseLabel))

const HOURS_OF_MONTH = 730n
/** Ten-thousandths of a currency unit in a hundredth. */
const CENT = 100n

/** The price of a month of 730 hours, rounded to a hundredth; null: unknown. */
export const monthlyPriceText = ({ pricePerHour }: Pick<CatalogFlavor, 'pricePerHour'>): string | null => {
  if (pricePerHour === null) return null
  const amount = parseAmount(pricePerHour.amount) * HOURS_OF_MONTH
  const rounded = ((amount + CENT / 2n) / CENT) * CENT
  return formatMoney({ amount: amountText(rounded), currency: pricePerHour.currency })
}

/** How much is free, without a number. */
export const AVAILABILITY_LABELS: Readonly<Record<CatalogFlavor['availability'], string>> = {
  free: 'Available',
  few: 'Few left',
  none: 'Not available',
  unknown: 'Unknown',
}

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

/** `4 more`; null: unknown. */
export const quotaLeftText = ({ headroom }: Pick<CatalogFlavor, 'headroom'>): string | null => {
  if (headroom.state === 'unknown') return null
  if (headroom.state === 'short') return '0 more'
  return headroom.more === null ? 'no limit' : `${formatCount(headroom.more)} more`
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

/** The class of GPUs to request; null: the short resource, if any, cannot be requested here. */
export const requestableClass = ({ headroom }: Pick<CatalogFlavor, 'headroom'>): string | null =>
  headroom.state === 'short'
    ? (headroom.short.find(({ resourceName }) => !PLAIN_LIMITS.has(resourceName))?.resourceName ?? null)
    : null

/** Whether a server can be started now as far as is known. */
export const isUnavailable = ({ headroom, availability }: CatalogFlavor): boolean =>
  headroom.state === 'short' || availability === 'none'
