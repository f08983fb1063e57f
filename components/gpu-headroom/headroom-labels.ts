import type { GpuHeadroomDto, HeadroomStateDto, PlainAmountsDto } from '@/lib/schemas/api/gpu-headroom'
import { formatCount, formatMib } from '@/lib/util/format'

/** Each state as a word with its urgency. */
export const HEADROOM_STATE_TAGS: Readonly<
  Record<HeadroomStateDto, { word: string; tone: 'quiet' | 'accent' | 'warn' | 'bad' }>
> = {
  used: { word: 'all in use', tone: 'quiet' },
  fine: { word: 'OK', tone: 'accent' },
  tight: { word: 'last one at risk', tone: 'warn' },
  partly: { word: 'partly stranded', tone: 'warn' },
  starved: { word: 'no headroom', tone: 'bad' },
  unasked: { word: 'no flavor', tone: 'quiet' },
  unknown: { word: 'unknown', tone: 'quiet' },
}

export type PlainName = keyof PlainAmountsDto
export const PLAIN_NAMES: readonly PlainName[] = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']

export const PLAIN_LABELS: Readonly<Record<PlainName, string>> = {
  VCPU: 'VCPU',
  PCPU: 'PCPU',
  MEMORY_MB: 'Memory',
  DISK_GB: 'Disk',
}

/** `4`, `8 GiB`, `40 GiB`. */
export const amountText = (name: PlainName, amount: number): string => {
  if (name === 'MEMORY_MB') return formatMib(amount)
  return name === 'DISK_GB' ? `${formatCount(amount)} GiB` : formatCount(amount)
}

/** `2 vCPU, 4 GiB, 40 GiB disk`. */
export const needsText = (needs: PlainAmountsDto): string =>
  [
    ...(needs.VCPU > 0 ? [`${needs.VCPU} VCPU`] : []),
    ...(needs.PCPU > 0 ? [`${needs.PCPU} PCPU`] : []),
    formatMib(needs.MEMORY_MB),
    `${formatCount(needs.DISK_GB)} GiB disk`,
  ].join(', ')

/** Free vGPUs and cards together, as cell text; null: unknown. */
export const freeText = ({ freeVgpus, freeCards }: GpuHeadroomDto): string | null => {
  if (freeVgpus === null || freeCards === null) return null
  const parts = [
    ...(freeVgpus > 0 ? [`${freeVgpus} vGPU`] : []),
    ...(freeCards > 0 ? [`${freeCards} ${freeCards === 1 ? 'card' : 'cards'}`] : []),
  ]
  return parts.length === 0 ? '0' : parts.join(', ')
}

/** `memory and disk`. */
export const plainList = (names: readonly PlainName[]): string =>
  names.map((name) => (name.endsWith('CPU') ? name : PLAIN_LABELS[name].toLowerCase())).join(' and ')
