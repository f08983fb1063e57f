import { expect, test, vi } from 'vitest'
import { RACES, type Race } from './testing/races/inject-race'
import { playRace, type RaceOutcome } from './testing/races/play-race'
import { type BrokenGuard, createRaceWorld, type RacedKind } from './testing/races/race-world'

vi.setConfig({ testTimeout: 6 * 3_600_000, hookTimeout: 240_000 })

/** What comes in between, not rounds: SLICEBOARD_RACES=10000 for a night's worth. */
const WANTED = Number(process.env.SLICEBOARD_RACES ?? (process.env.SLICEBOARD_LONG === '1' ? 40 : 20))
/** Rounds are numbered from here; one that failed is played alone with SLICEBOARD_RACE_SEED and its number. */
const FIRST_SEED = 20_261_121
const ONLY = process.env.SLICEBOARD_RACE_SEED

const MAX_CONTROL_ROUNDS = 60

const KINDS: readonly RacedKind[] = ['type', 'orphans', 'traits']

const world = createRaceWorld()

const kindOf = (seed: number): RacedKind => KINDS[seed % KINDS.length] ?? 'type'

const play = async (seed: number): Promise<RaceOutcome> => {
  const outcome = await playRace(world, { seed, kind: kindOf(seed) })
  if (outcome.violations.length === 0) return outcome
  throw new Error(
    `Round ${seed}, a change of the kind ${kindOf(seed)}: ${outcome.violations.join('; ')}. Play it again with SLICEBOARD_RACE_SEED=${seed}.`,
  )
}

test(`in ${WANTED} races nothing is removed wrongly and no trait is lost, regardless of who comes in between`, async () => {
  const total: Record<Race, number> = { guest: 0, recreated: 0, operator: 0, away: 0 }
  const ends: Record<string, number> = {}
  const count = () => RACES.reduce((sum, race) => sum + total[race], 0)
  const first = Number(ONLY ?? FIRST_SEED)
  for (let seed = first; count() < WANTED && (ONLY === undefined || seed === first); seed++) {
    const { injected, state } = await play(seed)
    for (const race of RACES) total[race] += injected[race]
    ends[state] = (ends[state] ?? 0) + 1
  }
  if (ONLY !== undefined) return
  for (const race of RACES) expect(total[race], race).toBeGreaterThan(0)
  expect(ends.done ?? 0).toBeGreaterThan(0)
  expect(ends.undone ?? 0).toBeGreaterThan(0)
  if (WANTED >= 10_000) process.stdout.write(`${JSON.stringify({ ...total, ends })}\n`)
})

type Control = {
  name: string
  broken: BrokenGuard
  race: Race
  kind: RacedKind
  seen: RegExp
  /** The first round in which it was seen: none of those before is played each time. */
  first?: number
}

/** Each guard taken away, with the race that it is there for, and what is then seen. */
const CONTROLS: readonly Control[] = [
  {
    name: 'an agent that looks for guests in the wrong folder removes what a guest holds',
    broken: 'blind-agent',
    race: 'guest',
    kind: 'orphans',
    seen: /is gone, and the guest .* holds it/,
  },
  {
    name: 'a plan that forgets the traits of others loses them when Nova re-creates the provider',
    broken: 'forgetful-plan',
    race: 'recreated',
    kind: 'type',
    seen: /lacks CUSTOM_RACK_7/,
  },
  {
    name: 'a client that writes what it read long ago loses a second operator’s trait',
    broken: 'careless-client',
    race: 'operator',
    kind: 'traits',
    seen: /has lost CUSTOM_OTHER_/,
  },
  {
    name: 'an agent without journal and clock carries out what was ordered long ago',
    broken: 'late-orders',
    race: 'away',
    kind: 'orphans',
    seen: /is gone, and no current command removed it/,
    first: 7,
  },
]

test.each(CONTROLS)('control: $name, and it is seen', async ({ broken, race, kind, seen, first = 1 }) => {
  for (let seed = first; seed < first + MAX_CONTROL_ROUNDS; seed++) {
    const { violations } = await playRace(world, { seed, kind, races: [race], broken })
    if (violations.length === 0) continue
    expect(violations.join('; ')).toMatch(seen)
    return
  }
  throw new Error(`${MAX_CONTROL_ROUNDS} rounds without the guard, and nothing was seen`)
})
