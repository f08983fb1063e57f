import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PartReading } from '@/lib/domain/cloud/types'
import { OpenStackError, type OpenStackServiceName } from '../openstack-error'
import type { RequestCosts, RequestMeter } from '../transport/types'
import { failed, incompleteNow, readNow } from './part-reading'
import type { RoundCost } from './types'

const SERVICES = ['keystone', 'placement', 'nova', 'neutron'] as const

/** Work that a part could not finish in this round; what it found so far stays in its memory. */
export class UnfinishedPart extends Error {
  override name = 'UnfinishedPart'
}

/** A value that was read, but lacks entries. */
export class IncompletePart<Value> {
  constructor(
    readonly value: Value,
    readonly because: string,
  ) {}
}

/** One reading round: its requests, its errors, and what it has to say. */
export type Round = {
  now: Date
  notes: string[]
  /** Requests of this round so far. */
  spent: () => number
  /** Requests that the round may still send. */
  left: () => number
  /**
   * Runs one part; a failure leaves its last value, and an incomplete value carries its reason. A service that gave no answer
   * is not asked again in this round.
   */
  part: <Value>(
    service: OpenStackServiceName,
    previous: PartReading<Value>,
    work: () => Promise<Value | IncompletePart<Value>>,
  ) => Promise<PartReading<Value>>
  /**
   * Calls `work` for each item, a few at a time and within a share (0 to 1) of what the round may still send; answers how
   * many were left out.
   */
  each: <Item>(input: {
    items: readonly Item[]
    requestsPerItem: number
    share: number
    work: (item: Item) => Promise<void>
  }) => Promise<number>
  /** Requests that were left for the next round. */
  waiting: () => number
  /** A part has no value of this round because its requests did not all fit. */
  isUnfinished: () => boolean
  costs: () => RoundCost[]
}

type StartRoundInput = { now: Date; meter: RequestMeter; maxRequests: number }

const AT_A_TIME = 8

/** No answer, or one that the next question would get as well. */
const isDead = (error: OpenStackError) =>
  error.kind !== 'http' || (error.status !== null && (error.status >= 500 || error.status === 429))

const totalOf = (costs: RequestCosts) => SERVICES.reduce((sum, service) => sum + costs[service].requests, 0)

export const startRound = ({ now, meter, maxRequests }: StartRoundInput): Round => {
  const before = meter.costs()
  const notes: string[] = []
  const dead = new Map<OpenStackServiceName, OpenStackError>()
  const errors = new Map<OpenStackServiceName, string>()
  let waiting = 0
  let isPartLeft = false

  const spent = () => totalOf(meter.costs()) - totalOf(before)
  const left = () => Math.max(0, maxRequests - spent())

  const part: Round['part'] = async (service, previous, work) => {
    try {
      const known = dead.get(service)
      if (known !== undefined) throw known
      // Answers that are known already would run all parts in one turn of the event loop.
      await nextTurn()
      const value = await work()
      return value instanceof IncompletePart
        ? incompleteNow(previous, { value: value.value, because: value.because, now })
        : readNow(value, now)
    } catch (error) {
      if (error instanceof UnfinishedPart) {
        isPartLeft = true
        return failed(previous, error.message, now)
      }
      if (!(error instanceof OpenStackError)) throw error
      if (isDead(error)) dead.set(service, error)
      errors.set(error.service, error.message)
      return failed(previous, error.message, now)
    }
  }

  const each: Round['each'] = async ({ items, requestsPerItem, share, work }) => {
    const fits = items.slice(0, Math.floor((left() * share) / requestsPerItem))
    waiting += (items.length - fits.length) * requestsPerItem
    const queue = fits[Symbol.iterator]()
    const run = async () => {
      for (const item of queue) await work(item)
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, run))
    return items.length - fits.length
  }

  const costs = () => {
    const after = meter.costs()
    return SERVICES.map((service) => ({
      service,
      requests: after[service].requests - before[service].requests,
      ms: Math.round(after[service].ms - before[service].ms),
      error: errors.get(service) ?? null,
    }))
  }
  const isUnfinished = () => isPartLeft && waiting > 0
  return { now, notes, spent, left, part, each, waiting: () => waiting, isUnfinished, costs }
}
