import type { SignedCommand } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { Actor } from '@/lib/server/context/service-context'
import { isServiceError } from '@/lib/server/errors/service-error'
import { guest } from '@/simulator/fixtures/host-parts'
import { makeMdev } from '@/simulator/host/change-vgpus'
import { gpuOfSlot } from '@/simulator/host/host-lookup'
import type { Random } from '@/simulator/random/random'
import { actOnChange } from '../../act-on-change'
import { createChange } from '../../create-change'
import { getChange } from '../../get-change'
import { RACE_HOST, type RacedKind, type RaceWorld } from './race-world'
import type { TraitLedger } from './trait-ledger'

/** What comes in between: a guest takes an mdev, Nova re-creates a provider, a second operator acts, the agent is away. */
export const RACES = ['guest', 'recreated', 'operator', 'away'] as const
export type Race = (typeof RACES)[number]

/**
 * Before a call of the console; before an agent fetches commands; before a command checks its host, where nothing can
 * wait.
 */
export type RacePoint = 'call' | 'fetch' | 'look'

const BEN: Actor = { kind: 'user', name: 'ben@Default', roles: ['admin'] }
const OLD_TYPE = 'nvidia-319'
const LATE = 'instance-0000f00d'
export const BY_HAND = 'by hand'
/** Longer than a command lives, with what clocks may differ by. */
const LONG_MS = 13 * 60_000

type Input = {
  world: RaceWorld
  random: Random
  ledger: TraitLedger
  kind: RacedKind
  id: number
  violations: string[]
}

/** How much longer the agent is away, and in which way. */
export type Away = { asks: number; silent: number; tells: number; orders: number; comeAgain: boolean }

/** A guest that the plan does not know, with an existing mdev or one that is created for it. */
const takeMdev = async ({ world, random, kind }: Input, point: RacePoint): Promise<boolean> => {
  const living = world.host()
  const slot = world.addresses(kind)[0] ?? ''
  const uuidOfOwn = random.uuid()
  if (random.chance(0.2)) living.attempt(makeMdev(living.spec(), { slot, typeId: OLD_TYPE, uuid: uuidOfOwn }))
  const held = new Set(living.spec().guests.flatMap(({ mdevs }) => mdevs))
  const free = (gpuOfSlot(living.spec(), slot)?.slicing.state.vgpus ?? []).filter(
    ({ uuid }) => !held.has(uuid),
  )
  const uuid = random.pick(free)?.uuid
  if (uuid === undefined) return false
  // After the agent's last look the kernel alone can object, and it knows running guests only.
  const state = point === 'look' || random.chance(0.5) ? 'running' : 'shutoff'
  const name = `${LATE}-${living.spec().guests.length}`
  living.become({
    ...living.spec(),
    guests: [...living.spec().guests, guest({ name, serverName: name, state, mdevs: [uuid] })],
  })
  if (point !== 'look' && random.chance(0.5)) await world.report(RACE_HOST)
  return true
}

/** They go as they came; Nova leaves their mdevs behind. */
export const releaseGuests = (world: RaceWorld): void => {
  const living = world.host()
  living.become({
    ...living.spec(),
    guests: living.spec().guests.filter(({ name }) => !name.startsWith(LATE)),
  })
}

const recreate = ({ world, random, ledger, kind }: Input): boolean => {
  const names = world.providerNames(kind).filter((name) => world.state().names.has(name))
  const provider = random.pick(names)
  if (provider === undefined) return false
  world.openstack().controls.recreateProvider({ provider })
  ledger.current(provider)
  return true
}

/** Through the API, as everybody else: the generation moves on. */
const writeTrait = async ({ world, random, ledger, kind }: Input): Promise<boolean> => {
  const name = random.pick(world.providerNames(kind)) ?? ''
  const uuid = world.state().names.get(name)
  if (uuid === undefined) return false
  const placement = world.placement()
  const trait = `CUSTOM_OTHER_${random.between(1, 4)}`
  const { generation, traits } = await placement.getTraits(uuid)
  if (traits.includes(trait)) {
    await placement.putTraits(uuid, { generation, traits: traits.filter((one) => one !== trait) })
    ledger.strike(name, trait)
  } else {
    await placement.createTrait(trait)
    await placement.putTraits(uuid, { generation, traits: [...traits, trait] })
    ledger.note(name, [trait])
  }
  return true
}

/** A conflict is the right answer to who comes second. */
const refusedOr = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    if (isServiceError(error)) return false
    throw error
  }
}

const stop = async ({ world, id }: Input): Promise<boolean> => {
  const { version } = await getChange(world.ctx(), { id })
  return refusedOr(() => actOnChange(world.ctx(BEN), { id, body: { action: 'stop', version } }))
}

const startAnother = async ({ world, kind, violations }: Input): Promise<boolean> => {
  const gpus = world.addresses(kind).map((address) => ({ host: RACE_HOST, address }))
  let other: ChangeDetail | null = null
  await refusedOr(async () => {
    const rule = 'CUSTOM_RACE_SECOND_{type}'
    other = await createChange(world.ctx(BEN), { cloud: world.cloud().name, kind: 'traits', gpus, rule })
    const { id, version } = other
    await actOnChange(world.ctx(BEN), { id, body: { action: 'start', version } })
    violations.push(`change ${id} has started on pGPUs that another one holds`)
  })
  return other !== null
}

const switchService = ({ world }: Input): boolean => {
  const { isDisabled } = world.compute()
  if (isDisabled) world.openstack().controls.enableService({ host: RACE_HOST })
  else world.openstack().controls.disableService({ host: RACE_HOST, value: BY_HAND })
  return true
}

const operate = async (input: Input): Promise<boolean> => {
  const { random, kind } = input
  const which = random.between(0, 9)
  if (which < 6) return writeTrait(input)
  if (which < 8) return stop(input)
  if (which === 8) return startAnother(input)
  return kind === 'type' ? switchService(input) : writeTrait(input)
}

const leave = ({ world, random }: Input, away: Away): boolean => {
  const which = random.between(0, 5)
  if (which === 0) away.asks += random.between(1, 2)
  if (which === 1) away.silent += random.between(1, 3)
  if (which === 2) away.tells += 1
  if (which === 3) away.orders += 1
  if (which === 4) away.comeAgain = true
  if (which === 5) {
    world.control.nowMs += LONG_MS
    away.comeAgain = true
  }
  return true
}

/** Orders that were sent and stay somewhere on the way, to come later, or again. */
export const keepOrders = (away: Away, random: Random): ((orders: SignedCommand[]) => SignedCommand[]) => {
  const retained = new Map<string, SignedCommand>()
  return (orders) => {
    for (const order of orders) retained.set(order.signature, order)
    if (away.orders > 0) {
      away.orders -= 1
      return []
    }
    if (!away.comeAgain) return orders
    away.comeAgain = false
    const late = random.pick([...retained.values()])
    return late === undefined ? orders : [...orders, late]
  }
}

/** Lets one thing happen; false when there was nothing for it to happen to. */
export const injectRace = async (
  input: Input,
  { race, point, away }: { race: Race; point: RacePoint; away: Away },
): Promise<boolean> => {
  if (race === 'guest') return takeMdev(input, point)
  if (race === 'recreated') return recreate(input)
  if (race === 'operator') return operate(input)
  return leave(input, away)
}
