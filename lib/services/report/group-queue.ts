/** Receives the result of an item. */
type Waiter<Result> = {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type Waiting<Item, Result> = { item: Item; waiter: Waiter<Result> }

export type GroupQueue<Item, Result> = {
  /** Calls the waiter once the item's group has been processed. */
  add: (item: Item, waiter: Waiter<Result>) => void
  /** Items that wait or are being carried out. */
  size: () => number
  /** Resolves when everything that was added is done. */
  idle: () => Promise<void>
}

/** Groups that are carried out side by side. */
type SideBySide<Item> = {
  max: number
  /** No two groups have a key in common, so what has one key is carried out in the order in which it came. */
  keyOf: (item: Item) => unknown
}

const settle = <Item, Result>(
  group: readonly Waiting<Item, Result>[],
  outcomes: ReadonlyMap<Item, Result | Error>,
): void => {
  for (const { item, waiter } of group) {
    const outcome = outcomes.get(item)
    if (outcome === undefined) waiter.reject(new Error('an item of a group got no outcome'))
    else if (outcome instanceof Error) waiter.reject(outcome)
    else waiter.resolve(outcome)
  }
}

/**
 * Collects what comes in while a group is being carried out into the next group, one group at a time or a few side by side. What
 * would make a small group waits `lingerMs` for company.
 */
export const createGroupQueue = <Item, Result>({
  carryOut,
  maxPerGroup,
  lingerMs,
  worthwhile = maxPerGroup,
  pick = (items, max) => items.slice(0, max),
  sideBySide = { max: 1, keyOf: (item) => item },
}: {
  /** One outcome per item; an Error rejects that item. Must not reject itself. */
  carryOut: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result | Error>>
  maxPerGroup: number
  lingerMs: number
  /** A group of this size begins without waiting for more items, and concurrently with another group. */
  worthwhile?: number
  /** The next group of the waiting items, at most `max` and at least one; in the order of arrival by default. */
  pick?: (items: readonly Item[], max: number) => readonly Item[]
  sideBySide?: SideBySide<Item>
}): GroupQueue<Item, Result> => {
  const { max, keyOf } = sideBySide
  const busy = new Set<unknown>()
  let waiting: Waiting<Item, Result>[] = []
  let running = 0
  let carried = 0
  let isLingering = false
  let whenIdle: (() => void)[] = []

  const freeItems = (): Item[] => {
    const items: Item[] = []
    for (const { item } of waiting) if (busy.size === 0 || !busy.has(keyOf(item))) items.push(item)
    return items
  }

  const mayBegin = (): boolean => {
    if (running === 0) return waiting.length > 0
    return running < max && waiting.length >= worthwhile && freeItems().length >= worthwhile
  }

  /** Takes the items from those that wait, in the order in which they came. */
  const takeOut = (items: readonly Item[]): Waiting<Item, Result>[] => {
    const group = waiting
    if (items.length === group.length) {
      waiting = []
      return group
    }
    const picked = new Set(items)
    waiting = group.filter(({ item }) => !picked.has(item))
    return group.filter(({ item }) => picked.has(item))
  }

  const begin = async (): Promise<void> => {
    const group = takeOut(pick(freeItems(), maxPerGroup))
    const items = group.map(({ item }) => item)
    for (const item of items) busy.add(keyOf(item))
    running += 1
    carried += group.length
    settle(group, await carryOut(items))
    running -= 1
    carried -= group.length
    for (const item of items) busy.delete(keyOf(item))
    advance()
  }

  const advance = (): void => {
    if (running === 0 && waiting.length === 0) {
      for (const resolve of whenIdle) resolve()
      whenIdle = []
    }
    if (isLingering || !mayBegin()) return
    isLingering = true
    const go = (): void => {
      isLingering = false
      // A group has ended in the meantime, and no other began.
      void begin()
      advance()
    }
    // What came in one turn is here before the next turn begins.
    if (waiting.length >= worthwhile) queueMicrotask(go)
    else setImmediate(() => (waiting.length >= worthwhile ? go() : setTimeout(go, lingerMs)))
  }

  return {
    add: (item, waiter) => {
      waiting.push({ item, waiter })
      advance()
    },
    size: () => waiting.length + carried,
    idle: () =>
      new Promise((resolve) => {
        if (running === 0 && waiting.length === 0) resolve()
        else whenIdle.push(resolve)
      }),
  }
}
