import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import type { ChangeState } from '@/lib/schemas/states'
import { isServiceError } from '@/lib/server/errors/service-error'
import { createRandom, type Random } from '@/simulator/random/random'
import { actOnChange } from '../../act-on-change'
import { createChange } from '../../create-change'
import { getChange } from '../../get-change'
import { skipStep } from '../../skip-step'
import type { AdvanceInput } from '../../turn'
import type { Mishap } from '../test-agents'
import {
  type Away,
  BY_HAND,
  injectRace,
  keepOrders,
  RACES,
  type Race,
  type RacePoint,
  releaseGuests,
} from './inject-race'
import { type BrokenGuard, RACE_HOST, RACK_TRAIT, type RacedKind, type RaceWorld } from './race-world'
import { type RaceEvent, racedTools } from './raced-tools'
import { createTraitLedger } from './trait-ledger'
import { watchRace } from './watch-race'

export type RaceOutcome = { violations: string[]; injected: Record<Race, number>; state: ChangeState }

/**
 * Runs between two rests after which the world calms down, and after which a step that is still blocked is skipped.
 */
const CALM_AFTER = 4
const MAX_RUNS = 60

const FORGET = `
UPDATE change_step SET body = jsonb_set(body, '{task,foreign}', '[]') WHERE change_id = $1 AND body->'task' ? 'foreign'`

const planOf = (world: RaceWorld, kind: RacedKind): PlanChange => {
  const cloud = world.cloud().name
  const gpus = world.addresses(kind).map((address) => ({ host: RACE_HOST, address }))
  if (kind === 'traits') return { cloud, kind, gpus, rule: 'CUSTOM_RACE_{type}' }
  if (kind === 'orphans') return { cloud, kind, gpus }
  return { cloud, kind, gpus, typeId: 'nvidia-320', resourceClass: null, isFlavorLossAccepted: true }
}

/**
 * A person who sees that the change does not advance: continues, rolls back, or skips a step that can no longer be
 * done.
 */
const decide = async (
  world: RaceWorld,
  {
    change,
    random,
    isCalm,
    isLate,
  }: { change: ChangeDetail; random: Random; isCalm: boolean; isLate: boolean },
): Promise<void> => {
  const { id, version, state, steps } = change
  const act = (action: 'go-on' | 'roll-back') => actOnChange(world.ctx(), { id, body: { action, version } })
  try {
    if (state === 'stopped') await act(random.chance(0.7) && !isLate ? 'go-on' : 'roll-back')
    else if (isCalm && state === 'running') await act('roll-back')
    else if (isLate) {
      const stuck = steps.findLast((step) => step.state === 'blocked' || step.state === 'waiting')
      const body = { version, reason: 'nothing is left to roll back' }
      if (stuck !== undefined) await skipStep(world.ctx(), { id, position: stuck.position, body })
    }
  } catch (error) {
    // A command is still in an agent's hands.
    if (!isServiceError(error)) throw error
  }
}

const settle = async (world: RaceWorld, { isCalm, random }: { isCalm: boolean; random: Random }) => {
  if (isCalm || random.chance(0.4)) releaseGuests(world)
  if (world.compute().disabledReason === BY_HAND)
    world.openstack().controls.enableService({ host: RACE_HOST })
  world.openstack().controls.refresh()
  await world.readAgain()
}

/** A command that checks its host waits for nothing. */
const isAtOnce = (race: Race): boolean => race === 'guest' || race === 'recreated'

/** Budget, seeds and counts of what comes in between. */
const createEvents = (
  random: Random,
  { races, inject }: { races: readonly Race[]; inject: (race: Race, point: RacePoint) => Promise<boolean> },
) => {
  const injected: Record<Race, number> = { guest: 0, recreated: 0, operator: 0, away: 0 }
  let left = 0
  const refill = () => {
    left = random.between(3, 12)
  }
  refill()
  let isOpen = false
  const event: RaceEvent = async (point) => {
    const possible = point === 'look' ? races.filter(isAtOnce) : races
    // Without a draw where nothing can happen, a round does not depend on how often a command reads its host.
    if (isOpen || left === 0 || possible.length === 0 || !random.chance(point === 'call' ? 0.2 : 0.4)) return
    const race = random.pick(possible)
    if (race === undefined) return
    left -= 1
    // What happens here must not inject further races.
    isOpen = true
    if (await inject(race, point)) injected[race] += 1
    isOpen = false
  }
  const calm = () => {
    left = 0
  }
  return { event, injected, refill, calm }
}

const nextMishap = (away: Away): Mishap => {
  if (away.asks > 0) {
    away.asks -= 1
    return 'away'
  }
  if (away.tells === 0) return null
  away.tells -= 1
  return 'answer-lost'
}

/** One change from its plan to its end, and often back, with races at seeded moments of it. */
export const playRace = async (
  world: RaceWorld,
  {
    seed,
    kind,
    races = RACES,
    broken = null,
  }: { seed: number; kind: RacedKind; races?: readonly Race[]; broken?: BrokenGuard },
): Promise<RaceOutcome> => {
  const random = createRandom(seed)
  await world.reset(kind)
  const planned = await createChange(world.ctx(), planOf(world, kind))
  const { id } = planned
  if (broken === 'forgetful-plan') await world.ctx().database.query(FORGET, [id])
  const ledger = createTraitLedger(world.state)
  for (const name of world.providerNames(kind)) ledger.note(name, [RACK_TRAIT])
  const { look, beforeFetch, violations } = watchRace(world, { ledger, id })
  const away: Away = { asks: 0, silent: 0, tells: 0, orders: 0, comeAgain: false }
  const input = { world, random, ledger, kind, id, violations }
  const { event, injected, refill, calm } = createEvents(random, {
    races,
    inject: (race, point) => injectRace(input, { race, point, away }),
  })
  Object.assign(world.control, {
    broken,
    beforeLook: () => void event('look'),
    onTheWay: keepOrders(away, random),
  })
  const mishap = async (): Promise<Mishap> => {
    await look()
    await event('fetch')
    await beforeFetch()
    return nextMishap(away)
  }
  const toolsOf = racedTools({ world, event, look, away }, broken)
  await actOnChange(world.ctx(), { id, body: { action: 'start', version: planned.version } })
  const end = await runToEnd(world, { id, random, toolsOf, mishap, refill, calm })
  await look()
  return { violations, injected, state: end }
}

const isEnd = (state: ChangeState): boolean => state === 'done' || state === 'undone' || state === 'dropped'

const runToEnd = async (
  world: RaceWorld,
  {
    id,
    random,
    toolsOf,
    mishap,
    refill,
    calm,
  }: {
    id: number
    random: Random
    toolsOf: AdvanceInput['toolsOf']
    mishap: () => Promise<Mishap>
    /** The way back has its own races. */
    refill: () => void
    calm: () => void
  },
): Promise<ChangeState> => {
  let isTakenBack = false
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    await world.run(id, { toolsOf, mishap })
    const change = await getChange(world.ctx(), { id })
    if (change.state === 'done' && !isTakenBack && random.chance(0.7)) {
      isTakenBack = true
      refill()
      const body = { action: 'roll-back' as const, version: change.version }
      await actOnChange(world.ctx(), { id, body })
      continue
    }
    if (isEnd(change.state)) return change.state
    const isCalm = runs >= CALM_AFTER
    if (isCalm) calm()
    await settle(world, { isCalm, random })
    await decide(world, { change, random, isCalm: runs >= 2 * CALM_AFTER, isLate: runs >= 3 * CALM_AFTER })
  }
  throw new Error(`change ${id} does not end, although each step was decided`)
}
