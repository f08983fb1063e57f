import 'server-only'
import { untilAborted } from './until-aborted'

/** `waiting`: callers that have not left. A caller without a signal cannot leave. */
type Shared = { answer: Promise<unknown>; waiting: number; stop: AbortController }

type Slot = { next: Shared | null; last: Promise<unknown> }

type Share = <Answer>(
  owner: object,
  key: string,
  /** Its signal aborts when all callers have left. */
  ask: (signal: AbortSignal) => Promise<Answer>,
  /** Of the caller's request. */
  signal?: AbortSignal,
) => Promise<Answer>

/**
 * Like `shareNext`, for questions of the same kind that differ by a key: those who ask the same at once share one answer,
 * which is begun after each of them asked. Of one key at most one is under way. A key is forgotten when its last answer has
 * come. Next's bundles each load their own copies of modules; globalThis is what they share, under `name`.
 */
export const shareByKey = (name: string): Share => {
  const symbol = Symbol.for(`sliceboard.shared.${name}`)
  const holder = globalThis as { [symbol]?: WeakMap<object, Map<string, Slot>> }

  const slotsOf = (owner: object): Map<string, Slot> => {
    holder[symbol] ??= new WeakMap()
    const known = holder[symbol].get(owner) ?? new Map<string, Slot>()
    holder[symbol].set(owner, known)
    return known
  }

  return async <Answer>(
    owner: object,
    key: string,
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    signal?.throwIfAborted()
    const slots = slotsOf(owner)
    const slot: Slot = slots.get(key) ?? { next: null, last: Promise.resolve() }
    slots.set(key, slot)
    const begin = (): Shared => {
      const before = slot.last
      const stop = new AbortController()
      const began: Shared = { answer: Promise.resolve(), waiting: 0, stop }
      const answer = new Promise<void>((resolve) => setImmediate(resolve))
        .then(() => before)
        .then(() => {
          if (slot.next === began) slot.next = null
          stop.signal.throwIfAborted()
          return ask(stop.signal)
        })
      const settled = answer.then(
        () => undefined,
        () => undefined,
      )
      slot.last = settled
      void settled.then(() => {
        if (slot.last === settled) slots.delete(key)
      })
      return Object.assign(began, { answer })
    }
    const shared = slot.next !== null && !slot.next.stop.signal.aborted ? slot.next : begin()
    slot.next = shared
    shared.waiting += 1
    // Equal name and key mean an equal type of answer.
    const answer = shared.answer as Promise<Answer>
    if (signal === undefined) return answer
    try {
      return await untilAborted(answer, signal)
    } catch (error) {
      shared.waiting -= 1
      if (shared.waiting === 0) shared.stop.abort(error)
      throw error
    }
  }
}
