/** Repeatable choices from a seed. */
export type Random = {
  /** 0 ≤ next() < 1 */
  next: () => number
  chance: (share: number) => boolean
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item
}

/** mulberry32: small, and the same on every machine. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
