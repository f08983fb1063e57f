type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export type GroupQueue<Item, Result> = {
  /** Resolves once the item's group has been carried out. */
  add: (item: Item) => Promise<Result>
  /** Items that wait or are being carried out. */
  size: () => number
  /** Resolves when everything that was added is done. */
  idle: () => Promise<void>
}

/** Groups that are carried out side by side. */
type SideBySide<Item> = {
  most: number
  /** No two groups have a key in common, so what has one key is carried out in the order in which it came. */
  keyOf: (item: Item) => unknown
}

const settle = <Item, Result>(
  group: readonly Waiting<Item, Result>[],
  outcomes: ReadonlyMap<Item, Result | Error>,
): void => {
  for (const { item, resolve, reject } of group) {
    const outcome = outcomes.get(item)
    if (outcome === undefined) reject(new Error('an item of a group got no outcome'))
    else if (outcome instanceof Error) reject(outcome)
    else resolve(outcome)
  }
}

/**
 * Collects what comes in while a group is being carried out into the next group, one group at a time or a few side by side. What
 * would make a small group waits `lingerMs` for company.
 */
export const createGroupQueue = <Item, Result>({
  carryOut,
  mostPerGroup,
  lingerMs,
  worthwhile = mostPerGroup,
  pick = (items, most) => items.slice(0, most),
  sideBySide = { most: 1, keyOf: (item) => item },
}: {
  /** One outcome per item; an Error rejects that item. Must not reject itself. */
  carryOut: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result | Error>>
  mostPerGroup: number
  lingerMs: number
  /** So many begin without waiting for company, and beside another group. */
  worthwhile?: number
  /** The next group of those that wait, at most so many and at least one; in the order in which they came unless it says otherwise. */
  pick?: (items: readonly Item[], most: number) => readonly Item[]
  sideBySide?: SideBySide<Item>
}): GroupQueue<Item, Result> => {
  const { most, keyOf } = sideBySide
  const busy = new Set<unknown>()
  let waiting: Waiting<Item, Result>[] = []
  let running = 0
  let carried = 0
  let isLingering = false
  let whenIdle: (() => void)[] = []

  const freeItems = (): Item[] =>
    waiting.flatMap(({ item }) => (busy.size > 0 && busy.has(keyOf(item)) ? [] : [item]))

  const mayBegin = (): boolean => {
    if (running === 0) return waiting.length > 0
    return running < most && waiting.length >= worthwhile && freeItems().length >= worthwhile
  }

  const begin = async (): Promise<void> => {
    const items = pick(freeItems(), mostPerGroup)
    const picked = new Set(items)
    const group = waiting.filter(({ item }) => picked.has(item))
    const keys = new Set(items.map(keyOf))
    waiting = waiting.filter(({ item }) => !picked.has(item))
    for (const key of keys) busy.add(key)
    running += 1
    carried += group.length
    settle(group, await carryOut(group.map(({ item }) => item)))
    running -= 1
    carried -= group.length
    for (const key of keys) busy.delete(key)
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
      // A group that ended meanwhile made room, and none other began.
      void begin()
      advance()
    }
    if (waiting.length >= mostPerGroup) queueMicrotask(go)
    else setImmediate(() => (waiting.length >= worthwhile ? go() : setTimeout(go, lingerMs)))
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        advance()
      }),
    size: () => waiting.length + carried,
    idle: () =>
      new Promise((resolve) => {
        if (running === 0 && waiting.length === 0) resolve()
        else whenIdle.push(resolve)
      }),
  }
}
