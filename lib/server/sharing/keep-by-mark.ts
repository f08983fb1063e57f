import 'server-only'
import { untilAborted } from './until-aborted'

type Cached = {
  mark: readonly unknown[]
  result: Promise<unknown>
  waiting: number
  stop: AbortController
}

/** Whether what two results follow from is the same. */
export const isSameMark = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index])

/**
 * Long work whose result is kept until what it follows from, its mark, changes. Concurrent requests for one result share the
 * work. The work is aborted when all of them have left, and a failure is not kept. Next's bundles each load their own copies of
 * modules; globalThis is what they share, under `name`.
 */
export const keepByMark = <Result>(
  name: string,
): ((
  owner: object,
  key: number,
  options: {
    mark: readonly unknown[]
    /** Of the request. Without it the work continues to its end. */
    signal: AbortSignal | undefined
    work: (signal: AbortSignal) => Promise<Result>
  },
) => Promise<Result>) => {
  const symbol = Symbol.for(`sliceboard.kept.${name}`)
  const holder = globalThis as { [symbol]?: WeakMap<object, Map<number, Cached>> }

  return async (owner, key, { mark, signal, work }) => {
    signal?.throwIfAborted()
    holder[symbol] ??= new WeakMap()
    const ofOwner = holder[symbol].get(owner) ?? new Map<number, Cached>()
    holder[symbol].set(owner, ofOwner)
    const known = ofOwner.get(key)
    const begin = (): Cached => {
      const stop = new AbortController()
      const begun = { mark, result: work(stop.signal), waiting: 0, stop }
      ofOwner.set(key, begun)
      begun.result.catch(() => {
        if (ofOwner.get(key) === begun) ofOwner.delete(key)
      })
      return begun
    }
    const cached =
      known !== undefined && isSameMark(known.mark, mark) && !known.stop.signal.aborted ? known : begin()
    // Equal name and key mean an equal type of result.
    const result = cached.result as Promise<Result>
    cached.waiting += 1
    if (signal === undefined) return result
    try {
      return await untilAborted(result, signal)
    } catch (error) {
      cached.waiting -= 1
      if (cached.waiting === 0) cached.stop.abort(error)
      throw error
    }
  }
}
