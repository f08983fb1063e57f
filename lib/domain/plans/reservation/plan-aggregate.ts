import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavorsOf, isGpuFlavor, serversByGpus } from '@/lib/domain/headroom/gpu-flavors'
import { gpuHeadroom, ordinaryServers } from '@/lib/domain/headroom/gpu-headroom'
import { headroomFor, hostLines, shortOf } from '@/lib/domain/headroom/headroom-lines'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { shutOutBecause } from '@/lib/domain/headroom/shut-out'
import { worstCase } from '@/lib/domain/headroom/worst-case'
import { listText } from '@/lib/domain/wording'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { createTraitStep } from '../create-trait-step'
import {
  type AggregateInput as AggregateTie,
  draftAggregate,
  withAggregate,
} from '../flavor-steps/draft-aggregate'
import { extraSpecsStep } from '../flavor-steps/flavor-steps'
import { type AggregateDraft, keyOf, mayCome, usable } from './aggregate-input'
import { schedulerConfigs } from './aggregate-texts'
import { moveOf, moveStep, serversToMove } from './move-servers'
import type { ReservationCheck, ReservationFlavorChange, ReservationHost } from './preview'
import { emptyReservation, reservationPlan } from './reservation-plan'
import { landsOn, shutChecks } from './shut-flavors'
import type { AggregateInput, ReservationPlan, ReservationStep } from './tasks'

/** The current cloud, and the cloud with the aggregate of the reservation. */
type Fleets = { fleet: Fleet; next: Fleet }

/** A flavor without the extra spec of the trait, which the reservation itself sets. */
const withoutTrait = (input: AggregateInput, flavor: Flavor): Flavor => {
  if (input.way === 'forbidden') return flavor
  const { [keyOf(input)]: _, ...extraSpecs } = flavor.extraSpecs
  return { ...flavor, extraSpecs }
}

/** The fleet once the hosts are in the aggregate, whose other properties may let flavors in. */
const reservedFleet = (fleet: Fleet, tie: AggregateTie | null): Fleet =>
  tie === null ? fleet : withAggregate(fleet, tie)

/** Why a flavor that the reservation allows still cannot be scheduled on one of its hosts; null: it can, or the host has none of its GPUs. */
const stillShut = (next: Fleet, joined: JoinedHost, input: AggregateInput, flavor: Flavor): string | null => {
  const bare = withoutTrait(input, flavor)
  return !mayCome(next, input)(flavor) || serversByGpus(next, joined, bare) === null
    ? null
    : shutOutBecause(next, joined, bare, input.trait)
}

/** One sentence for each flavor that the reservation allows and that something else excludes from the host. */
const stillShutChecks = (next: Fleet, joined: JoinedHost, input: AggregateInput): ReservationCheck[] =>
  shutChecks(
    joined.host.name,
    gpuFlavorsOf(next).flatMap((flavor) => {
      const because = stillShut(next, joined, input, flavor)
      return because === null ? [] : [{ id: flavor.id, name: flavor.name, because }]
    }),
  )

/** How many hosts flavors that are written could land on, before and after. */
const flavorChanges = (
  { fleet, next }: Fleets,
  input: AggregateInput,
  draft: AggregateDraft,
): ReservationFlavorChange[] => {
  const isIsolated = input.way === 'isolated'
  const isFenced = (joined: JoinedHost): boolean =>
    draft.joined.includes(joined) || joined.root.value?.traits?.includes(input.trait) === true
  const wasOpen = (joined: JoinedHost, flavor: Flavor): boolean =>
    isGpuFlavor(fleet, flavor) ? landsOn(fleet, joined, flavor) : joined.root.value !== null
  const isOpen = (joined: JoinedHost, flavor: Flavor): boolean =>
    isGpuFlavor(next, flavor)
      ? landsOn(next, joined, withoutTrait(input, flavor))
      : joined.root.value !== null
  return (isIsolated ? draft.chosen : draft.ordinary).map((flavor) => ({
    id: flavor.id,
    name: flavor.name,
    key: keyOf(input),
    value: isIsolated ? 'required' : 'forbidden',
    hostsBefore: fleet.hosts.filter((joined) => wasOpen(joined, flavor)).length,
    hostsAfter: fleet.hosts.filter((joined) => isFenced(joined) === isIsolated && isOpen(joined, flavor))
      .length,
  }))
}

/** A host's room before and after, and what is left of it at worst. */
const hostPreview = (
  { fleet, next }: Fleets,
  joined: JoinedHost,
  { input, moves }: { input: AggregateInput; moves: ReturnType<typeof ordinaryServers> },
): ReservationHost => {
  const before = hostLines(joined)
  const after = before.map((line) => {
    const used = Math.max(0, line.used - moves.reduce((sum, { needs }) => sum + needs[line.name], 0))
    return { ...line, used, free: Math.max(0, line.capacity - used) }
  })
  const worst = worstCase(fleet, after, usable(fleet), mayCome(fleet, input))
  return {
    host: joined.host.name,
    stateBefore: gpuHeadroom(fleet, joined).state,
    before,
    after,
    flavors: gpuFlavorsOf(fleet).flatMap((flavor) => {
      const gpus = serversByGpus(fleet, joined, withoutTrait(input, flavor))
      if (gpus === null) return []
      const [needs, max] = [plainNeeds(flavor), gpus.value ?? 0]
      const isIn = mayCome(fleet, input)(flavor) && stillShut(next, joined, input, flavor) === null
      const left = headroomFor(worst.lines, needs)
      return [
        {
          id: flavor.id,
          name: flavor.name,
          before: landsOn(fleet, joined, flavor) ? Math.min(max, headroomFor(before, needs)) : 0,
          after: isIn ? Math.min(max, headroomFor(after, needs)) : 0,
          worst: isIn ? Math.min(max, left) : 0,
          short: left > 0 || !isIn ? [] : shortOf(worst.lines, needs),
        },
      ]
    }),
  }
}

/** Puts a trait on the root provider of a compute node, where Nova keeps those of others. */
const rootTraitStep = ({ host, root }: JoinedHost, trait: string): ReservationStep => {
  const name = root.value?.name ?? host.name
  return {
    id: `move-traits/on/${name}`,
    title: `Add ${trait} to the compute node ${name}`,
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
    check: `The provider ${name} has ${trait}. Nova keeps traits that others set on root providers.`,
    undo: `Removes ${trait}. Other traits are kept.`,
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

const flavorSteps = (input: AggregateInput, { chosen, ordinary }: AggregateDraft): ReservationStep[] => {
  const [flavors, wanted] = input.way === 'isolated' ? [chosen, 'required'] : [ordinary, 'forbidden']
  return flavors
    .filter(({ extraSpecs }) => extraSpecs[keyOf(input)] !== wanted)
    .map(({ id, name, extraSpecs }) =>
      extraSpecsStep({ flavorId: id, flavorName: name }, [
        { key: keyOf(input), seen: extraSpecs[keyOf(input)] ?? null, wanted },
      ]),
    )
}

const costs = (
  fleet: Fleet,
  input: AggregateInput,
  { draft, moves }: { draft: AggregateDraft; moves: number },
): string[] => {
  const ordinary = draft.joined.flatMap((joined) => ordinaryServers(fleet, joined))
  const staying = ordinary.length - moves
  const names = listText(draft.joined.map(({ host }) => host.name))
  return [
    `CPU, memory and disk of ${names} that GPU servers do not use stay idle: ordinary servers can no longer use them.`,
    ...(staying > 0
      ? [
          `${formatNoun(staying, 'ordinary server that runs there stays', 'ordinary servers that run there stay')} until you migrate or delete ${staying === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(input.way === 'isolated'
      ? [
          `GPU flavors that require ${input.trait} are scheduled only on hosts that have it. Reserve all hosts with the same GPUs together.`,
        ]
      : [
          `Every ordinary flavor that is created later must also forbid ${input.trait}; otherwise its servers can be scheduled here.`,
        ]),
    'Running servers keep their copy of the flavor. A resize or a new server uses the new flavor.',
  ]
}

const checks = (fleet: Fleet, input: AggregateInput, draft: AggregateDraft): ReservationCheck[] => {
  const shut = fleet.hosts
    .filter((joined) => draft.joined.includes(joined))
    .flatMap((joined) =>
      gpuFlavorsOf(fleet).filter(
        (flavor) => landsOn(fleet, joined, flavor) && !mayCome(fleet, input)(flavor),
      ),
    )
  const names = [...new Set(shut.map(({ name }) => name))]
  if (input.way === 'forbidden')
    return [
      {
        text: 'Placement excludes the flavors: no option of nova-scheduler is required.',
        isMet: true,
        wayOut: null,
      },
    ]
  return [
    {
      text: '[scheduler] enable_isolated_aggregate_filtering must be true for nova-scheduler (Train and newer), and no API exposes it.',
      isMet: null,
      wayOut:
        'Set it and restart nova-scheduler before the change. Without it, ordinary servers can still be scheduled here.',
    },
    names.length === 0
      ? { text: 'Every flavor for GPUs of these hosts can be scheduled there.', isMet: true, wayOut: null }
      : {
          text: `${listText(names)} ${names.length === 1 ? 'requests' : 'request'} GPUs of these hosts and could no longer be scheduled there.`,
          isMet: false,
          wayOut: 'Select these flavors too.',
        },
  ]
}

const whyNot = (fleet: Fleet, input: AggregateInput, draft: AggregateDraft): string | null => {
  const missing = input.hosts.find((name) => !draft.joined.some(({ host }) => host.name === name))
  if (missing !== undefined) return `No agent reports ${missing}: choose other hosts.`
  const rootless = draft.joined.find(({ root }) => root.value === null)
  if (rootless !== undefined)
    return `Placement has no provider of ${rootless.host.name}: ${rootless.root.because ?? 'it has not been read'}.`
  if (input.way === 'isolated' && draft.chosen.length === 0)
    return 'No GPU flavor is selected, so no server could be scheduled on these hosts. Select the allowed flavors.'
  const plain = draft.chosen.find((flavor) => !isGpuFlavor(fleet, flavor))
  if (plain !== undefined) return `${plain.name} requests no GPU. Deselect it.`
  if (input.way === 'forbidden' && draft.ordinary.length === 0)
    return 'The cloud has no flavor without a GPU, so there is nothing to exclude.'
  return null
}

const movesOf = (fleet: Fleet, input: AggregateInput, joined: JoinedHost) => {
  if (!input.isMoving || joined.root.value === null) return []
  const [best] = gpuHeadroom(fleet, joined).flavors.filter(({ byGpus }) => byGpus > 0)
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
export const planAggregate = (fleet: Fleet, input: AggregateInput): ReservationPlan => {
  const joined = fleet.hosts.filter(({ host }) => input.hosts.includes(host.name))
  const flavors = usable(fleet)
  const draft: AggregateDraft = {
    joined,
    chosen: input.way === 'isolated' ? flavors.filter(({ id }) => input.flavorIds.includes(id)) : [],
    ordinary: flavors.filter((flavor) => !isGpuFlavor(fleet, flavor)),
  }
  const title = `${listText(input.hosts)} for GPU servers only`
  const reason = whyNot(fleet, input, draft)
  const tie =
    input.way === 'forbidden'
      ? null
      : {
          name: input.aggregate,
          hosts: joined.map(({ service, host }) => service.value?.host ?? host.name),
          properties: { [keyOf(input)]: 'required' },
        }
  const tied = tie === null ? { steps: [], reason: null } : draftAggregate(fleet, tie)
  const fleets = { fleet, next: reservedFleet(fleet, tie) }
  const moves = joined.map((host) => ({ host, leaving: movesOf(fleet, input, host) }))
  const reservation = {
    ...emptyReservation(input.way),
    hosts: moves.map(({ host, leaving }) => hostPreview(fleets, host, { input, moves: leaving })),
    costs: costs(fleet, input, { draft, moves: moves.flatMap(({ leaving }) => leaving).length }),
    checks: [
      ...checks(fleet, input, draft),
      ...joined.flatMap((host) => stillShutChecks(fleets.next, host, input)),
    ],
    flavors: flavorChanges(fleets, input, draft),
    moves: moves.flatMap(({ leaving }) => leaving.map((movable) => moveOf(fleet, movable))),
    aggregate: input.way === 'isolated' ? input.aggregate : null,
    configs: input.way === 'isolated' ? schedulerConfigs() : [],
  }
  const tagging = joined.filter((host) => !isTagged(host, input.trait))
  const steps: ReservationStep[] = [
    ...(tagging.length === 0 ? [] : [createTraitStep(input.trait)]),
    ...tagging.map((host) => rootTraitStep(host, input.trait)),
    ...flavorSteps(input, draft),
    ...tied.steps,
    ...moves.flatMap(({ host, leaving }) => leaving.map((movable) => moveStep(fleet, host, movable))),
  ]
  const refusal =
    reason ??
    (tied.reason === null ? null : `${tied.reason}.`) ??
    (steps.length === 0
      ? `${listText(input.hosts)} ${joined.length === 1 ? 'is' : 'are'} already reserved in this way. There is nothing to do.`
      : null)
  return reservationPlan({
    title,
    reservation: { ...reservation, refusal },
    steps: refusal === null ? steps : [],
  })
}
