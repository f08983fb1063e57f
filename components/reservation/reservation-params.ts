import {
  type inferParserType,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs'
import type { PlanReservation } from '@/lib/schemas/api/change-inputs'

/** As lib/util/paths newFencePath writes them; `keep`: CPUs to keep, as the calculator counted. */
export const reservationParams = {
  host: parseAsString.withDefault(''),
  way: parseAsStringLiteral(['cpus', 'isolated', 'forbidden', 'second-service'] as const).withDefault('cpus'),
  shared: parseAsString.withDefault(''),
  dedicated: parseAsString.withDefault(''),
  memory: parseAsInteger,
  keep: parseAsInteger,
  flavors: parseAsString.withDefault(''),
  hosts: parseAsString.withDefault(''),
  aggregate: parseAsString.withDefault('gpu-hosts'),
  trait: parseAsString.withDefault('CUSTOM_GPU_HOST'),
  second: parseAsString.withDefault(''),
  move: parseAsBoolean.withDefault(false),
}
export type ReservationParams = inferParserType<typeof reservationParams>

/** Ids of flavors as the address has them. */
export const readIds = (text: string): string[] => {
  if (text === '') return []
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : []
  } catch (error) {
    // The address was shortened manually.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Hosts of an aggregate reservation: the first and the additional ones. */
export const hostsOf = ({ host, hosts }: Pick<ReservationParams, 'host' | 'hosts'>): string[] => [
  ...new Set([host, ...hosts.split(',').filter((name) => name !== '')]),
]

/** What is planned; null while something has to be chosen first. */
export const inputOf = (params: ReservationParams): PlanReservation['input'] | null => {
  const { host, way, shared, dedicated, memory, move, aggregate, trait, second } = params
  const flavorIds = readIds(params.flavors)
  if (way === 'isolated' || way === 'forbidden')
    return {
      way,
      hosts: hostsOf(params),
      aggregate,
      trait,
      flavorIds: way === 'isolated' ? flavorIds : [],
      isMoving: move,
    }
  if (shared === '' || dedicated === '') return null
  if (way === 'second-service')
    return {
      way,
      host,
      secondHost: second === '' ? `gpu-${host}` : second,
      sharedSet: shared,
      dedicatedSet: dedicated,
      memoryMib: memory ?? 4096,
    }
  return {
    way,
    host,
    sharedSet: shared,
    dedicatedSet: dedicated,
    reservedMemoryMib: memory,
    flavorIds,
    isMoving: move,
  }
}
