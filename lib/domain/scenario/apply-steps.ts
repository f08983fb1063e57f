import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { listText } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellComment, shellOperands, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { addToAggregates } from './add-to-aggregates'
import { changeTypes } from './change-types'
import { usedOf } from './empty-card'
import { emptyHost } from './empty-host'
import { inDateOrder } from './in-date-order'
import { addNewHosts } from './new-hosts'
import { type AppliedStep, refused, type ScenarioState, type ScenarioStep, type StepOutcome } from './types'

type RemoveStep = Extract<ScenarioStep, { do: 'remove' }>
type MoveStep = Extract<ScenarioStep, { do: 'move' }>

const novaName = ({ service, host }: JoinedHost): string => service.value?.host ?? host.name

const findHosts = ({ fleet }: ScenarioState, names: readonly string[]) => {
  const found = fleet.hosts.filter(({ host }) => names.includes(host.name))
  const missing = names.filter((name) => !found.some(({ host }) => host.name === name))
  return { found, missing }
}

const noHost = (missing: readonly string[]): string =>
  `No agent reports ${listText(missing)}. Remove ${missing.length === 1 ? 'it' : 'them'}, or choose other hosts.`

const closeText = (found: readonly JoinedHost[]): Encoded<'shell'> =>
  joinEncoded(
    found.flatMap((joined) => [
      sh`openstack compute service set --disable --disable-reason removed ${shellOperands([novaName(joined), 'nova-compute'])}`,
      ...joined.servers.map(
        ({ uuid, name, status }) =>
          sh`openstack server migrate ${status === 'ACTIVE' ? sh`--live-migration ` : sh``}${shellWord(uuid)} ${shellComment(name.replaceAll(/\s+/g, ' '))}`,
      ),
    ]),
    '\n',
  )

/** Hosts that are taken away. */
const removeHosts = (state: ScenarioState, { hosts: names }: RemoveStep): AppliedStep => {
  const { found, missing } = findHosts(state, names)
  if (missing.length > 0) return refused(state, noHost(missing))
  const real = found.filter(({ host }) => !state.added.has(host.name))
  return {
    state: {
      ...state,
      fleet: { ...state.fleet, hosts: state.fleet.hosts.filter((joined) => !found.includes(joined)) },
    },
    outcome: {
      problem: null,
      moving: usedOf(found.flatMap(({ pgpus }) => pgpus)),
      targets: [],
      text: closeText(real),
    },
  }
}

/** The zone that a host is in by other aggregates than the one that it leaves. */
const otherZone = (state: ScenarioState, joined: JoinedHost, from: string): string | null =>
  hostAggregates(state.fleet, joined)
    ?.filter(({ name }) => name !== from)
    .find(({ availabilityZone }) => availabilityZone !== null)?.availabilityZone ?? null

const zoneProblem = (
  state: ScenarioState,
  {
    found,
    from,
    zones,
  }: { found: readonly JoinedHost[]; from: string; zones: { from: string | null; to: string | null } },
): string | null => {
  for (const joined of found) {
    const name = joined.host.name
    const other = otherZone(state, joined, from)
    if (zones.to !== null && other !== null && other !== zones.to)
      return `${name} is in the availability zone ${other} through another aggregate, and Nova allows one zone per host. First remove it from that aggregate.`
    const [now, next] = [zones.from ?? other, zones.to ?? other]
    // nova/compute/api.py, is_safe_to_update_az: servers would be in another zone than requested.
    if (now !== next && joined.servers.length > 0)
      return `${name} would move from the availability zone ${now ?? 'of no aggregate'} to ${next ?? 'that of no aggregate'}. Nova refuses this while the host has servers (currently ${joined.servers.length}). First migrate the servers.`
  }
  return null
}

/** Hosts of one aggregate go to another one; the vGPUs in use go with them. */
const moveHosts = (state: ScenarioState, { hosts: names, from, to }: MoveStep): AppliedStep => {
  const { fleet } = state
  const { aggregates } = fleet.input.facts
  if (aggregates.value === null)
    return refused(
      state,
      `Nova’s aggregates could not be read: ${aggregates.error}. Try again when Nova answers.`,
    )
  const [source, target] = [from, to].map((name) => aggregates.value?.find((each) => each.name === name))
  if (source === undefined || target === undefined)
    return refused(state, `Nova has no aggregate ${source === undefined ? from : to}: choose another one.`)
  if (source === target) return refused(state, `The hosts are already in ${to}. Choose another aggregate.`)
  const { found, missing } = findHosts(state, names)
  if (missing.length > 0) return refused(state, noHost(missing))
  const isIn = (joined: JoinedHost): boolean =>
    hostAggregates(fleet, joined)?.some(({ uuid }) => uuid === source.uuid) === true
  const outside = found.filter((joined) => !isIn(joined)).map(({ host }) => host.name)
  if (outside.length > 0)
    return refused(
      state,
      `${listText(outside)} ${outside.length === 1 ? 'is' : 'are'} not in ${from}. Choose hosts of this aggregate.`,
    )
  const zones = { from: source.availabilityZone, to: target.availabilityZone }
  const problem = zoneProblem(state, { found, from, zones })
  if (problem !== null) return refused(state, problem)
  const moved = found.map(novaName)
  const isMoved = (name: string): boolean => moved.some((each) => each.toLowerCase() === name.toLowerCase())
  const value = aggregates.value.map((each) => {
    if (each === source) return { ...each, hosts: each.hosts.filter((name) => !isMoved(name)) }
    return each === target
      ? { ...each, hosts: [...each.hosts.filter((name) => !isMoved(name)), ...moved] }
      : each
  })
  return {
    state: {
      ...state,
      fleet: {
        ...fleet,
        input: { ...fleet.input, facts: { ...fleet.input.facts, aggregates: { ...aggregates, value } } },
      },
    },
    outcome: {
      problem: null,
      moving: 0,
      targets: [],
      text: joinEncoded(
        moved.flatMap((name) => [
          sh`openstack aggregate remove host ${shellOperands([from, name])}`,
          sh`openstack aggregate add host ${shellOperands([to, name])}`,
        ]),
        '\n',
      ),
    },
  }
}

type AddStep = Extract<ScenarioStep, { do: 'add' }>

/** What has to be ordered: the cards, and CPU, memory and disk of the host as in Placement. */
const orderText = (joined: JoinedHost, count: number): string => {
  const models = new Map<string, number>()
  for (const { pgpu } of joined.pgpus) models.set(pgpu.model, (models.get(pgpu.model) ?? 0) + 1)
  const inventories = joined.root.value?.inventories ?? {}
  const amount = (name: string): number | null =>
    inventories[name]?.total ?? inventories[name]?.capacity ?? null
  const rest: [string, number | null][] = [
    ['CPUs', (amount('VCPU') ?? 0) + (amount('PCPU') ?? 0)],
    ['GiB of memory', amount('MEMORY_MB') === null ? null : Math.round((amount('MEMORY_MB') ?? 0) / 1024)],
    ['GiB of disk', amount('DISK_GB')],
  ]
  return [
    `${formatNoun(count, 'host')} like ${joined.host.name}, each with:`,
    ...[...models].map(([model, cards]) => `- ${cards} x ${model}`),
    ...rest.flatMap(([what, value]) => (value === null || value === 0 ? [] : [`- ${value} ${what}`])),
  ].join('\n')
}

/** Hosts of the same build as one that is there, in the same aggregates. */
const addHosts = (state: ScenarioState, { count, like }: AddStep): AppliedStep => {
  const { fleet } = state
  const joined = fleet.hosts.find(({ host }) => host.name === like)
  if (joined === undefined) return refused(state, `No agent reports a host ${like}. Choose another host.`)
  if (joined.pgpus.length === 0) return refused(state, `${like} has no GPU. Choose a host with a GPU.`)
  if (joined.root.value === null)
    return refused(state, `Placement has no provider of ${like}: ${joined.root.because}.`)
  const names = Array.from({ length: count }, (_, index) => `${like} (new ${state.added.size + index + 1})`)
  const own = new Set((hostAggregates(fleet, joined) ?? []).map(({ uuid }) => uuid))
  return {
    state: {
      ...state,
      fleet: {
        ...addToAggregates(fleet, { names, isIn: ({ uuid }) => own.has(uuid) }),
        hosts: [...fleet.hosts, ...names.map((name) => emptyHost(joined, name))],
      },
      added: new Set([...state.added, ...names]),
    },
    outcome: { problem: null, moving: 0, targets: [], text: orderText(joined, count) },
  }
}

function* apply(
  state: ScenarioState,
  step: ScenarioStep,
  held: readonly HeldPgpu[],
): Generator<void, AppliedStep> {
  switch (step.do) {
    case 'type':
      return yield* changeTypes(state, step, held)
    case 'add':
      return addHosts(state, step)
    case 'new':
      return addNewHosts(state, step)
    case 'remove':
      return removeHosts(state, step)
    case 'move':
      return moveHosts(state, step)
  }
}

/** The fleet from a day on. `day` null: at once. */
export type DatedFleet = { day: string | null; fleet: Fleet }

export type AppliedSteps = {
  /** The fleet after the steps of each day, in the order of the days. */
  stages: readonly DatedFleet[]
  /** In the order of the steps as given: the result of each, and the fleet before and after it. */
  results: readonly { outcome: StepOutcome; before: Fleet; after: Fleet }[]
}

/**
 * The fleet after the steps, applied in the order of their days, and the result of each. An impossible step is skipped, with
 * the reason. `held`: pGPUs of active changes. Yields after each host that gets a type, and after each step.
 */
export function* applySteps(
  fleet: Fleet,
  steps: readonly ScenarioStep[],
  held: readonly HeldPgpu[],
): Generator<void, AppliedSteps> {
  let state: ScenarioState = { fleet, added: new Set(), retyped: new Set() }
  const stages: DatedFleet[] = []
  const results: AppliedSteps['results'][number][] = []
  for (const { step, date, index } of inDateOrder(
    steps.map((each, at) => ({ step: each, date: each.date, index: at })),
  )) {
    const applied = yield* apply(state, step, held)
    yield
    results[index] = { outcome: applied.outcome, before: state.fleet, after: applied.state.fleet }
    state = applied.state
    if (stages.length > 0 && stages.at(-1)?.day === date) stages.pop()
    stages.push({ day: date, fleet: state.fleet })
  }
  return { stages, results }
}
