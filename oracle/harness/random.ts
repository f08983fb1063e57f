import { createRandom as createStream, type Random as Stream } from '@/simulator/random/random'

/** Repeatable choices from a seed, by the simulator's stream of numbers. */
export type Random = Pick<Stream, 'next' | 'chance'> & {
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item
}

export const createRandom = (seed: number): Random => {
  const stream = createStream(seed)
  return {
    next: stream.next,
    chance: stream.chance,
    pick: (items) => {
      const item = stream.pick(items)
      return item === undefined ? items[0] : item
    },
  }
}

/** One or no pair of a key and a value, to be spread into a list of pairs. */
export const maybe = <const Pair extends readonly [key: string, value: unknown]>(
  random: Random,
  share: number,
  make: () => Pair,
): Pair[] => (random.chance(share) ? [make()] : [])
