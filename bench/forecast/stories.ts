import type { SeriesStory } from '@/lib/domain/forecast/testing/generate-series'
import type { Random } from '@/simulator/random/random'

const endingGrowth = (random: Random, day: number): Partial<SeriesStory> => ({
  perDay: 0.2 + random.next() * 0.4,
  noise: 1 + random.next() * 3,
  turn: { day, perDay: 0 },
})

/** How groups of generated fleets behave. Sizes, growth and noise differ from group to group. */
export const STORIES: Readonly<Record<string, (random: Random) => Partial<SeriesStory>>> = {
  growth: (random) => ({ perDay: 0.1 + random.next() * 0.5, noise: 1 + random.next() * 5 }),
  'growth, week pattern': (random) => ({
    perDay: 0.1 + random.next() * 0.5,
    weekShare: 0.1 + random.next() * 0.3,
    noise: 1 + random.next() * 5,
  }),
  shrinking: (random) => ({ begin: 250, perDay: -0.1 - random.next() * 0.3, noise: 1 + random.next() * 4 }),
  flat: (random) => ({ begin: 40 + random.next() * 200, noise: 1 + random.next() * 5 }),
  'flat, week pattern': (random) => ({ weekShare: 0.1 + random.next() * 0.4, noise: 1 + random.next() * 4 }),
  'small and flat': (random) => ({ begin: 4 + random.next() * 6, capacity: 16, noise: random.next() }),
  steps: (random) => ({
    perDay: random.next() * 0.3,
    noise: 1 + random.next() * 3,
    steps: [1, 2, 3].map(() => ({ day: random.between(20, 340), by: random.between(-40, 40) })),
  }),
  gaps: (random) => ({
    perDay: 0.1 + random.next() * 0.4,
    noise: 1 + random.next() * 4,
    weekShare: random.next() * 0.2,
    gaps: [1, 2, 3].map(() => {
      const from = random.between(20, 230)
      return { from, until: from + random.between(2, 25) }
    }),
  }),
  wandering: (random) => ({ wander: 0.5 + random.next() * 2 }),
  'growth that ended': (random) => endingGrowth(random, random.between(150, 255)),
  'growth that ends unseen': (random) => endingGrowth(random, random.between(270, 330)),
}
