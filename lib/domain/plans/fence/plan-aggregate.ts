import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavorsOf, isGpuFlavor } from '@/lib/domain/fence/gpu-flavors'
import { gpuRoom, ordinaryServers } from '@/lib/domain/fence/gpu-room'
import { hostLines } from '@/lib/domain/fence/room-lines'
import { listText, plural } from '@/lib/domain/wording'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { createTraitStep } from '../create-trait-step'
import { draftAggregate } from '../flavor-steps/draft-aggregate'
import { extraSpecsStep } from '../flavor-steps/flavor-steps'
import { fencedFleet, flavorChanges, hostPreview, stillShutChecks } from './aggregate-preview'
import { schedulerConfigs } from './aggregate-texts'
import { type AggregateDraft, keyOf, mayCome, usable } from './aggregate-wish'
import { emptyFence, fencePlan } from './fence-plan'
import { moveOf, moveStep, serversToMove } from './move-servers'
import type { FenceCheck } from './preview'
import { landsOn } from './shut-flavors'
import type { AggregateWish, ReservationPlan, ReservationStep } from './tasks'

/** Puts a trait on the root provider of a compute node, where Nova keeps those of others. */
const rootTraitStep = ({ host, root }: JoinedHost, trait: string): ReservationStep => {
  const name = root.value?.name ?? host.name
  return {
    id: `move-traits/on/${name}`,
    title: `Put ${trait} on the compute node ${name}`,
    doer: 'console',
    calls: [
      http`GET /resource_providers?name=${httpPart(name)}`,
      http`GET /resource_providers/<uuid>/traits`,
      http`PUT /resource_providers/<uuid>/traits`,
    ],
    command: sh`named_traits ${shellWord(name)} '' ${shellWord(trait)}`,
    undoCommand: sh`named_traits ${shellWord(name)} ${shellWord(trait)} ''`,
    sees: `The root provider ${name} does not have ${trait}.`,
    precondition: 'Placement has the root provider of the compute node.',
    check: `The provider ${name} has ${trait}. Nova leaves traits of others on root providers.`,
    undo: `Takes ${trait} off again; other traits stay.`,
    task: {
      kind: 'move-traits',
      host: host.name,
      provider: { address: '', name },
      direction: 'on',
      traits: [trait],
      foreign: [],
    },
  }
}

const flavorSteps = (wish: AggregateWish, { chosen, ordinary }: AggregateDraft): ReservationStep[] => {
  const [flavors, wanted] = wish.way === 'isolated' ? [chosen, 'required'] : [ordinary, 'forbidden']
  return flavors
    .filter(({ extraSpecs }) => extraSpecs[keyOf(wish)] !== wanted)
    .map(({ id, name, extraSpecs }) =>
      extraSpecsStep({ flavorId: id, flavorName: name }, [
        { key: keyOf(wish), seen: extraSpecs[keyOf(wish)] ?? null, wanted },
      ]),
    )
}

const costs = (
  fleet: Fleet,
  wish: AggregateWish,
  { draft, moves }: { draft: AggregateDraft; moves: number },
): string[] => {
  const ordinary = draft.joined.flatMap((joined) => ordinaryServers(fleet, joined))
  const staying = ordinary.length - moves
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

const checks = (fleet: Fleet, wish: AggregateWish, draft: AggregateDraft): FenceCheck[] => {
  const shut = fleet.hosts
    .filter((joined) => draft.joined.includes(joined))
    .flatMap((joined) =>
      gpuFlavorsOf(fleet).filter((flavor) => landsOn(fleet, joined, flavor) && !mayCome(fleet, wish)(flavor)),
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

const whyNot = (fleet: Fleet, wish: AggregateWish, draft: AggregateDraft): string | null => {
  const missing = wish.hosts.find((name) => !draft.joined.some(({ host }) => host.name === name))
  if (missing !== undefined) return `No agent reports ${missing}: choose other hosts.`
  const rootless = draft.joined.find(({ root }) => root.value === null)
  if (rootless !== undefined)
    return `Placement has no provider of ${rootless.host.name}: ${rootless.root.because ?? 'it has not been read'}.`
  if (wish.way === 'isolated' && draft.chosen.length === 0)
    return 'No GPU flavor is chosen, so nothing could land on these hosts any more: choose those that may.'
  const plain = draft.chosen.find((flavor) => !isGpuFlavor(fleet, flavor))
  if (plain !== undefined) return `${plain.name} asks for no GPU: leave it out.`
  if (wish.way === 'forbidden' && draft.ordinary.length === 0)
    return 'The cloud has no flavor without a GPU, so there is nothing to keep off.'
  return null
}

const movesOf = (fleet: Fleet, wish: AggregateWish, joined: JoinedHost) => {
  if (!wish.isMoving || joined.root.value === null) return []
  const [best] = gpuRoom(fleet, joined).flavors.filter(({ byGpus }) => byGpus > 0)
  return best === undefined
    ? []
    : (serversToMove(fleet, joined, { lines: hostLines(joined), needs: best.needs }) ?? [])
}

const isTagged = ({ root }: JoinedHost, trait: string): boolean =>
  root.value?.traits?.includes(trait) === true

/**
 * Plan that reserves whole hosts for GPU servers by a trait on their root providers. `isolated`: an aggregate requires
 * the trait, so that nova-scheduler admits only flavors that require it. `forbidden`: ordinary flavors forbid it.
 */
export const planAggregate = (fleet: Fleet, wish: AggregateWish): ReservationPlan => {
  const joined = fleet.hosts.filter(({ host }) => wish.hosts.includes(host.name))
  const flavors = usable(fleet)
  const draft: AggregateDraft = {
    joined,
    chosen: wish.way === 'isolated' ? flavors.filter(({ id }) => wish.flavorIds.includes(id)) : [],
    ordinary: flavors.filter((flavor) => !isGpuFlavor(fleet, flavor)),
  }
  const title = `${listText(wish.hosts)} for GPU servers only`
  const reason = whyNot(fleet, wish, draft)
  const tie =
    wish.way === 'forbidden'
      ? null
      : {
          name: wish.aggregate,
          hosts: joined.map(({ service, host }) => service.value?.host ?? host.name),
          properties: { [keyOf(wish)]: 'required' },
        }
  const tied = tie === null ? { steps: [], reason: null } : draftAggregate(fleet, tie)
  const fleets = { fleet, next: fencedFleet(fleet, tie) }
  const moves = joined.map((host) => ({ host, leaving: movesOf(fleet, wish, host) }))
  const fence = {
    ...emptyFence(wish.way),
    hosts: moves.map(({ host, leaving }) => hostPreview(fleets, host, { wish, moves: leaving })),
    costs: costs(fleet, wish, { draft, moves: moves.flatMap(({ leaving }) => leaving).length }),
    checks: [
      ...checks(fleet, wish, draft),
      ...joined.flatMap((host) => stillShutChecks(fleets.next, host, wish)),
    ],
    flavors: flavorChanges(fleets, wish, draft),
    moves: moves.flatMap(({ leaving }) => leaving.map((movable) => moveOf(fleet, movable))),
    aggregate: wish.way === 'isolated' ? wish.aggregate : null,
    configs: wish.way === 'isolated' ? schedulerConfigs() : [],
  }
  const tagging = joined.filter((host) => !isTagged(host, wish.trait))
  const steps: ReservationStep[] = [
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
