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

/**
 * Collects what comes in while a group is being carried out into the next group, one group at a time. The first item after
 * a pause waits `lingerMs` for company.
 */
export const createGroupQueue = <Item, Result>({
  carryOut,
  mostPerGroup,
  lingerMs,
  pick = (items, most) => items.slice(0, most),
}: {
  /** One outcome per item; an Error rejects that item. Must not reject itself. */
  carryOut: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result | Error>>
  mostPerGroup: number
  lingerMs: number
  /** The next group of those that wait, at most so many and at least one; in the order in which they came unless it says otherwise. */
  pick?: (items: readonly Item[], most: number) => readonly Item[]
}): GroupQueue<Item, Result> => {
  let waiting: Waiting<Item, Result>[] = []
  let carried = 0
  let running: Promise<void> | null = null

  const settle = (
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

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < mostPerGroup) await new Promise((resolve) => setTimeout(resolve, lingerMs))
      const picked = new Set(
        pick(
          waiting.map(({ item }) => item),
          mostPerGroup,
        ),
      )
      const group = waiting.filter(({ item }) => picked.has(item))
      waiting = waiting.filter(({ item }) => !picked.has(item))
      carried = group.length
      settle(group, await carryOut(group.map(({ item }) => item)))
      carried = 0
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= work().finally(() => {
          running = null
        })
      }),
    size: () => waiting.length + carried,
    idle: async () => {
      while (running !== null) await running
    },
  }
}
