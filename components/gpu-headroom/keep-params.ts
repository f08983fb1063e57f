import { parseAsString, parseAsStringLiteral } from 'nuqs'
import type { GpuHeadroomList, PlainAmountsDto } from '@/lib/schemas/api/gpu-headroom'
import { HEADROOM_STATES } from '@/lib/schemas/choices'
import { PLAIN_NAMES, type PlainName } from './headroom-labels'

/** What the page keeps in its address: `keep=id:2,id:1`, `on=host:NAME` or `on=aggregate:NAME`. */
export const gpuHeadroomParams = {
  q: parseAsString.withDefault(''),
  state: parseAsStringLiteral(HEADROOM_STATES),
  keep: parseAsString.withDefault(''),
  on: parseAsString.withDefault(''),
}

/** Expected servers of a GPU flavor. */
export type Wanted = { id: string; count: number }

const MAX_SERVERS = 9999

/** Null for an address that was shortened or edited manually: "%" alone is invalid. */
const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch (err) {
    if (err instanceof URIError) return null
    throw err
  }
}

/** Flavors of the address with their numbers; what is written otherwise is left out. */
export const readKeep = (text: string): Wanted[] =>
  text.split(',').flatMap((part) => {
    const at = part.lastIndexOf(':')
    const count = Number(part.slice(at + 1))
    const id = decoded(part.slice(0, Math.max(0, at)))
    const isGood = /^\d{1,4}$/.test(part.slice(at + 1)) && count > 0 && count <= MAX_SERVERS
    return isGood && id !== null && id !== '' ? [{ id, count }] : []
  })

export const writeKeep = (wanted: readonly Wanted[]): string =>
  wanted
    .filter(({ count }) => count > 0)
    .map(({ id, count }) => `${encodeURIComponent(id)}:${count}`)
    .join(',')

export type KeepLine = { name: PlainName; needed: number; free: number; perHost: number }

/** The reservation for so many servers, in addition to the free capacity of those hosts, and evenly per host. */
export const keepLines = (
  { flavors, selection }: Pick<GpuHeadroomList, 'flavors' | 'selection'>,
  wanted: readonly Wanted[],
): KeepLine[] => {
  const sum = (pick: (needs: PlainAmountsDto, count: number) => number): number =>
    wanted.reduce((total, { id, count }) => {
      const flavor = flavors.find((one) => one.id === id)
      return flavor === undefined ? total : total + pick(flavor.needs, count)
    }, 0)
  const hosts = Math.max(1, selection.hosts)
  return PLAIN_NAMES.map((name) => ({
    name,
    needed: sum((needs, count) => needs[name] * count),
    free: selection.free[name],
    // A server is not divided: each host keeps for whole ones.
    perHost: sum((needs, count) => needs[name] * Math.ceil(count / hosts)),
  })).filter(({ needed }) => needed > 0)
}
