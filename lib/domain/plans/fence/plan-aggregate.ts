import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavorsOf, isGpuFlavor, serversByGpus } from '@/lib/domain/fence/gpu-flavors'
import { gpuRoom, ordinaryServers } from '@/lib/domain/fence/gpu-room'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { roomFor, roomLines, shortOf } from '@/lib/domain/fence/room-lines'
import { worstCase } from '@/lib/domain/fence/worst-case'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { listText, plural } from '@/lib/domain/wording'
import { createTraitStep } from '../create-trait-step'
import { draftAggregate } from '../flavor/draft-aggregate'
import { extraSpecsStep } from '../flavor/flavor-steps'
import type { Plan, PlannedStep } from '../types'
import { schedulerConfigs } from './aggregate-texts'
import { emptyFence, fencePlan } from './fence-plan'
import { moveOf, moveStep, serversToMove } from './move-servers'
import type { FenceCheck, FenceFlavorChange, FenceHost } from './preview'
import { rootTraitStep } from './root-trait-step'

/** Hosts that only GPU flavors, or all but ordinary ones, may land on. */
export type AggregateWish = {
  way: 'isolated' | 'forbidden'
  hosts: readonly string[]
  aggregate: string
  trait: string
  /** GPU flavors that may land there; of `forbidden` none. */
  flavorIds: readonly string[]
  isMoving: boolean
}

type Draft = { joined: readonly JoinedHost[]; chosen: readonly Flavor[]; ordinary: readonly Flavor[] }

const usable = ({ input }: Fleet): Flavor[] =>
  (input.facts.flavors.value ?? []).filter(({ isDisabled }) => !isDisabled)

const requires = (flavor: Flavor, trait: string): boolean =>
  readFlavorRequest(flavor).groups.some(({ required }) => required.includes(trait))

/** Flavors that may land on the fenced hosts once all stands. */
const mayCome =
  ({ way, trait, flavorIds }: AggregateWish) =>
  (flavor: Flavor): boolean =>
    way === 'isolated' ? flavorIds.includes(flavor.id) || requires(flavor, trait) : isGpuFlavor(flavor)

const keyOf = ({ trait }: AggregateWish): string => `trait:${trait}`

const flavorSteps = (wish: AggregateWish, { chosen, ordinary }: Draft): PlannedStep[] => {
  const [flavors, wanted] = wish.way === 'isolated' ? [chosen, 'required'] : [ordinary, 'forbidden']
  return flavors
    .filter(({ extraSpecs }) => extraSpecs[keyOf(wish)] !== wanted)
    .map(({ id, name, extraSpecs }) =>
      extraSpecsStep({ flavorId: id, flavorName: name }, [
        { key: keyOf(wish), seen: extraSpecs[keyOf(wish)] ?? null, wanted },
      ]),
    )
}

const flavorChanges = (fleet: Fleet, wish: AggregateWish, draft: Draft): FenceFlavorChange[] => {
  const isIn = (joined: JoinedHost): boolean => draft.joined.includes(joined)
  const hostsOf = (flavor: Flavor): JoinedHost[] =>
    fleet.hosts.filter((joined) =>
      isGpuFlavor(flavor) ? serversByGpus(fleet, joined, flavor) !== null : joined.root.value !== null,
    )
  const isIsolated = wish.way === 'isolated'
  return (isIsolated ? draft.chosen : draft.ordinary).map((flavor) => {
    const hosts = hostsOf(flavor)
    return {
      id: flavor.id,
      name: flavor.name,
      key: keyOf(wish),
      value: isIsolated ? 'required' : 'forbidden',
      hostsBefore: hosts.length,
      hostsAfter: hosts.filter((joined) => isIn(joined) === isIsolated).length,
    }
  })
}

const hostPreview = (
  fleet: Fleet,
  joined: JoinedHost,
  { wish, moves }: { wish: AggregateWish; moves: ReturnType<typeof ordinaryServers> },
): FenceHost => {
  const before = joined.root.value === null ? [] : roomLines(joined.root.value)
  const after = before.map((line) => {
    const used = Math.max(0, line.used - moves.reduce((sum, { needs }) => sum + needs[line.name], 0))
    return { ...line, used, free: Math.max(0, line.capacity - used) }
  })
  const worst = worstCase(after, usable(fleet), mayCome(wish))
  return {
    host: joined.host.name,
    stateBefore: gpuRoom(fleet, joined).state,
    before,
    after,
    flavors: gpuFlavorsOf(fleet).flatMap((flavor) => {
      const gpus = serversByGpus(fleet, joined, flavor)
      if (gpus === null) return []
      const [needs, most] = [plainNeeds(flavor), gpus.value ?? 0]
      const isIn = mayCome(wish)(flavor)
      const left = roomFor(worst.lines, needs)
      return [
        {
          id: flavor.id,
          name: flavor.name,
          before: Math.min(most, roomFor(before, needs)),
          after: isIn ? Math.min(most, roomFor(after, needs)) : 0,
          worst: isIn ? Math.min(most, left) : 0,
          short: left > 0 ? [] : shortOf(worst.lines, needs),
        },
      ]
    }),
  }
}

const costs = (wish: AggregateWish, draft: Draft, moves: number): string[] => {
  const staying = draft.joined.reduce((sum, joined) => sum + ordinaryServers(joined).length, 0) - moves
  const names = listText(draft.joined.map(({ host }) => host.name))
  return [
    `CPU, memory and disk that GPU servers leave over on ${names} lie idle: no ordinary server takes them any more.`,
    ...(staying > 0
      ? [
          `${plural(staying, 'ordinary server that runs there stays', 'ordinary servers that run there stay')} until somebody moves or deletes ${staying === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(wish.way === 'isolated'
      ? [
          `GPU flavors that require ${wish.trait} land on hosts that carry it and nowhere else: fence all hosts with the same GPUs together.`,
        ]
      : [
          `Every ordinary flavor that somebody makes later has to forbid ${wish.trait} too, or its servers come in.`,
        ]),
    'Servers that run keep their copy of the flavor; a resize or a new server takes the new one.',
  ]
}

const checks = (fleet: Fleet, wish: AggregateWish, draft: Draft): FenceCheck[] => {
  const shut = fleet.hosts
    .filter((joined) => draft.joined.includes(joined))
    .flatMap((joined) =>
      gpuFlavorsOf(fleet).filter(
        (flavor) => serversByGpus(fleet, joined, flavor) !== null && !mayCome(wish)(flavor),
      ),
    )
  const names = [...new Set(shut.map(({ name }) => name))]
  if (wish.way === 'forbidden')
    return [
      {
        text: 'Placement itself keeps the flavors out: no option of nova-scheduler is needed.',
        isMet: true,
        wayOut: null,
      },
    ]
  return [
    {
      text: '[scheduler] enable_isolated_aggregate_filtering has to be true for nova-scheduler (Train and newer), and no API tells whether it is.',
      isMet: null,
      wayOut:
        'Put it there and restart nova-scheduler before the change; without it ordinary servers still come in.',
    },
    names.length === 0
      ? { text: 'Every flavor for GPUs of these hosts may land there.', isMet: true, wayOut: null }
      : {
          text: `${listText(names)} ${names.length === 1 ? 'gives' : 'give'} GPUs of these hosts and could no longer land there.`,
          isMet: false,
          wayOut: 'Choose them too.',
        },
  ]
}

const whyNot = (wish: AggregateWish, draft: Draft): string | null => {
  const missing = wish.hosts.find((name) => !draft.joined.some(({ host }) => host.name === name))
  if (missing !== undefined) return `No agent reports ${missing}: choose other hosts.`
  const rootless = draft.joined.find(({ root }) => root.value === null)
  if (rootless !== undefined)
    return `Placement has no provider of ${rootless.host.name}: ${rootless.root.because ?? 'it has not been read'}.`
  if (wish.way === 'isolated' && draft.chosen.length === 0)
    return 'No GPU flavor is chosen, so nothing could land on these hosts any more: choose those that may.'
  const plain = draft.chosen.find((flavor) => !isGpuFlavor(flavor))
  if (plain !== undefined) return `${plain.name} asks for no GPU: leave it out.`
  if (wish.way === 'forbidden' && draft.ordinary.length === 0)
    return 'The cloud has no flavor without a GPU, so there is nothing to keep off.'
  return null
}

const movesOf = (fleet: Fleet, wish: AggregateWish, joined: JoinedHost) => {
  const root = joined.root.value
  if (!wish.isMoving || root === null) return []
  const [best] = gpuRoom(fleet, joined).flavors.filter(({ byGpus }) => byGpus > 0)
  return best === undefined ? [] : (serversToMove(joined, roomLines(root), best.needs) ?? [])
}

const isTagged = ({ root }: JoinedHost, trait: string): boolean =>
  root.value?.traits?.includes(trait) === true

/**
 * Plan for keeping whole hosts for GPU servers by a trait on their root providers. `isolated`: an aggregate asks for the trait,
 * so that nova-scheduler lets only flavors in that require it. `forbidden`: ordinary flavors forbid it.
 */
export const planAggregate = (fleet: Fleet, wish: AggregateWish): Plan => {
  const joined = fleet.hosts.filter(({ host }) => wish.hosts.includes(host.name))
  const flavors = usable(fleet)
  const draft: Draft = {
    joined,
    chosen: wish.way === 'isolated' ? flavors.filter(({ id }) => wish.flavorIds.includes(id)) : [],
    ordinary: flavors.filter((flavor) => !isGpuFlavor(flavor)),
  }
  const title = `${listText(wish.hosts)} for GPU servers only`
  const reason = whyNot(wish, draft)
  const tied =
    wish.way === 'forbidden'
      ? { steps: [], reason: null }
      : draftAggregate(fleet, {
          name: wish.aggregate,
          hosts: joined.map(({ service, host }) => service.value?.host ?? host.name),
          properties: { [keyOf(wish)]: 'required' },
        })
  const moves = joined.map((host) => ({ host, leaving: movesOf(fleet, wish, host) }))
  const fence = {
    ...emptyFence(wish.way),
    hosts: moves.map(({ host, leaving }) => hostPreview(fleet, host, { wish, moves: leaving })),
    costs: costs(wish, draft, moves.flatMap(({ leaving }) => leaving).length),
    checks: checks(fleet, wish, draft),
    flavors: flavorChanges(fleet, wish, draft),
    moves: moves.flatMap(({ leaving }) => leaving.map((movable) => moveOf(fleet, movable))),
    aggregate: wish.way === 'isolated' ? wish.aggregate : null,
    configs: wish.way === 'isolated' ? schedulerConfigs() : [],
  }
  const tagging = joined.filter((host) => !isTagged(host, wish.trait))
  const steps: PlannedStep[] = [
    ...(tagging.length === 0 ? [] : [createTraitStep(wish.trait)]),
    ...tagging.map((host) => rootTraitStep(host, wish.trait)),
    ...flavorSteps(wish, draft),
    ...tied.steps,
    ...moves.flatMap(({ host, leaving }) => leaving.map((movable) => moveStep(fleet, host, movable))),
  ]
  const refusal =
    reason ??
    (tied.reason === null ? null : `${tied.reason}.`) ??
    (steps.length === 0
      ? `${listText(wish.hosts)} ${joined.length === 1 ? 'is' : 'are'} fenced so already: there is nothing to do.`
      : null)
  return fencePlan({ title, fence: { ...fence, refusal }, steps: refusal === null ? steps : [] })
}
