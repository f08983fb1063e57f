import { listText } from '@/lib/domain/wording'
import type { Catalog, CatalogQuota } from '@/lib/schemas/api/catalog'
import { formatCount, formatNoun } from '@/lib/util/format'
import { limitName } from './catalog-text'

/** What a tile of the summary shows; null: unknown in `used`, no limit in `limit`. */
export type QuotaTile = {
  label: string
  limit: number | null
  used: number | null
  notes: readonly string[]
}

const MAX_NAMES = 3

/** Why Placement's count of a class differs from the number of servers; null: it does not. */
export const countNote = ({ used, count }: Pick<CatalogQuota, 'used' | 'count'>): string | null => {
  if (used === null || count === null || used === count.servers) return null
  const { servers, held, moving } = count
  const rest = used - held - moving.amount
  const notes = [
    held === servers
      ? null
      : `${formatNoun(servers, 'server')} ${servers === 1 ? 'uses' : 'use'} ${formatCount(held)}.`,
    moving.amount === 0
      ? null
      : `${formatCount(moving.amount)} counted twice until the migration or resize of ${listText(moving.servers, MAX_NAMES)} ends.`,
    rest > 0
      ? `${formatCount(rest)} counted without a listed server. Ask an admin if this lasts longer than a minute.`
      : null,
    rest < 0 ? `${formatCount(-rest)} of the listed servers no longer counted.` : null,
  ]
  return notes.filter((note) => note !== null).join(' ')
}

/** Why the number of servers differs from the vGPUs that the quota counts; null: it does not. */
export const serversNote = (
  { all, vgpu, passthrough, unknown }: Catalog['servers'],
  usedVgpus: number | null,
): string | null => {
  if (all === 0 || usedVgpus === null || usedVgpus === all) return null
  const kinds = [
    `${formatCount(vgpu)} with vGPUs`,
    passthrough === 0 ? null : `${formatCount(passthrough)} with passthrough GPUs`,
    unknown === 0 ? null : `${formatCount(unknown)} without a reported GPU`,
  ].filter((kind) => kind !== null)
  const own = `Your project has ${formatNoun(all, 'server')} with a GPU flavor: ${listText(kinds)}.`
  return passthrough === 0 ? own : `${own} Passthrough GPUs do not count as vGPUs.`
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

const MIB = 1024
const inGib = (mib: number | null): number | null => (mib === null ? null : Math.round((mib / MIB) * 10) / 10)

const LABELS: Readonly<Record<CatalogQuota['kind'], string>> = {
  vgpu: 'vGPUs',
  passthrough: 'Passthrough GPUs',
  vcpu: 'vCPU',
  memory: 'Memory, GiB',
}

const tileOf = (kind: CatalogQuota['kind'], quotas: readonly CatalogQuota[]): QuotaTile[] => {
  const own = quotas.filter((quota) => quota.kind === kind)
  if (own.length === 0) return []
  const limit = sumOf(own.map((quota) => (quota.limit === null ? null : Math.max(0, quota.limit))))
  const used = sumOf(own.map((quota) => quota.used))
  const isMemory = kind === 'memory'
  return [
    {
      label: own.length > 1 ? `All ${LABELS[kind]}` : LABELS[kind],
      limit: isMemory ? inGib(limit) : limit,
      used: isMemory ? inGib(used) : used,
      notes: own.map(countNote).filter((note) => note !== null),
    },
  ]
}

const UNCOUNTED = 'No quota: Nova does not count these GPUs.'

/** vGPUs, passthrough GPUs, vCPU and memory, each on its own: one kind never counts in another. */
export const quotaTiles = ({
  quotas,
  uncountedGpus,
}: Pick<Catalog, 'quotas' | 'uncountedGpus'>): QuotaTile[] => {
  const known = quotas ?? []
  const uncounted: QuotaTile[] =
    uncountedGpus === null
      ? []
      : [
          {
            label: `${known.some(({ kind }) => kind === 'passthrough') ? 'Other p' : 'P'}assthrough GPUs`,
            limit: null,
            used: uncountedGpus.used,
            notes: [UNCOUNTED],
          },
        ]
  return [
    ...tileOf('vgpu', known),
    ...tileOf('passthrough', known),
    ...uncounted,
    ...tileOf('vcpu', known),
    ...tileOf('memory', known),
  ]
}

/** The classes that a tile adds up; none where each kind has one. */
export const summedClasses = (quotas: Catalog['quotas']): QuotaTile[] =>
  (['vgpu', 'passthrough'] as const).flatMap((kind) => {
    const own = (quotas ?? []).filter((quota) => quota.kind === kind)
    return own.length < 2
      ? []
      : own.map(({ resourceName, limit, used }) => ({
          label: limitName(resourceName),
          limit: limit === null ? null : Math.max(0, limit),
          used,
          notes: [],
        }))
  })

export const usedVgpus = (quotas: Catalog['quotas']): number | null =>
  quotas === null ? null : sumOf(quotas.filter(({ kind }) => kind === 'vgpu').map(({ used }) => used))
