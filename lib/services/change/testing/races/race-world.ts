import { beforeAll } from 'vitest'
import { COMMAND_NAMES, type SignedCommand } from '@/lib/schemas/agent/command'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { NOW } from '@/lib/services/testing/service-world'
import type { LivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { ComputeNode } from '@/simulator/openstack/nova/nova-state'
import type { PlacementState } from '@/simulator/openstack/placement/placement-state'
import { type ChangeWorld, createChangeWorld } from '../change-world'

export const RACE_HOST = 'cmp-r2-05'
/** An operator's own trait that every provider has before a race. */
export const RACK_TRAIT = 'CUSTOM_RACK_7'
const PASSING_TRAIT = /^CUSTOM_(RACE|OTHER)_/
const HOUR_MS = 3_600_000

export type RacedKind = Exclude<PlanChange['kind'], 'flavor' | 'passthrough' | 'fence' | 'limits'>

/**
 * Guards that a control takes away: the agent looks for guests in the wrong folder; a client writes the traits that it read
 * at first; the plan forgets whose traits others are; an agent carries out what is late, and twice.
 */
export type BrokenGuard = 'blind-agent' | 'careless-client' | 'forgetful-plan' | 'late-orders' | null

/** What a round may change of the agents' behavior while it runs. */
type RaceControl = {
  broken: BrokenGuard
  nowMs: number
  beforeLook: () => void
  onTheWay: (orders: SignedCommand[]) => SignedCommand[]
}

export type RaceWorld = ChangeWorld & {
  control: RaceControl
  host: () => LivingHost
  compute: () => ComputeNode
  state: () => PlacementState
  /** Everything as before the first round, with the mdevs that a change of this kind is about. */
  reset: (kind: RacedKind) => Promise<void>
  /** The pGPUs of a change of this kind. */
  addresses: (kind: RacedKind) => string[]
  /** Names of their providers in Placement. */
  providerNames: (kind: RacedKind) => string[]
}

const uuidAt = (index: number): string => `aaaaaaaa-0000-4000-8000-00000000000${index}`

/** Two mdevs of one type on a pGPU, the first one defined. */
const withMdevs = (
  spec: HostSpec,
  { gpu: position, typeId }: { gpu: number; typeId: string },
): Pick<HostSpec, 'gpus' | 'mdevDefinitions'> => {
  const slot = spec.gpus[position]?.address ?? ''
  const vgpus = [0, 1].map((index) => ({ uuid: uuidAt(index), typeId, slot, iommuGroup: 900 + index }))
  return {
    gpus: spec.gpus.map((gpu, index) =>
      gpu.slicing === null
        ? gpu
        : {
            ...gpu,
            slicing: {
              ...gpu.slicing,
              state: { ...gpu.slicing.state, vgpus: index === position ? vgpus : [] },
            },
          },
    ),
    mdevDefinitions: [{ uuid: uuidAt(0), parent: slot, typeId, start: 'auto' }],
  }
}

const GPU_INDEXES: Readonly<Record<RacedKind, readonly number[]>> = {
  type: [0],
  orphans: [1],
  traits: [0, 1],
}

/** A host of a kind of change: spares of the old type, orphans of another, or nothing at all. */
const specOf = (base: HostSpec, kind: RacedKind): HostSpec => {
  const typeId = kind === 'orphans' ? 'nvidia-320' : 'nvidia-319'
  const made = withMdevs(base, { gpu: GPU_INDEXES[kind][0] ?? 0, typeId })
  return kind === 'traits' ? base : { ...base, ...made }
}

const OFFERED = ['nvidia-319', 'nvidia-320']

/** Two cards with two types and nothing on them: what a round reads again and again is small. */
const emptied = (spec: HostSpec): HostSpec => ({
  ...spec,
  guests: [],
  mdevDefinitions: [],
  gpus: withMdevs(spec, { gpu: -1, typeId: '' })
    .gpus.slice(0, 2)
    .map((gpu) =>
      gpu.slicing === null
        ? gpu
        : {
            ...gpu,
            slicing: {
              ...gpu.slicing,
              types: gpu.slicing.types.filter(({ typeId }) => OFFERED.includes(typeId)),
              state: {
                ...gpu.slicing.state,
                types: gpu.slicing.state.types.filter(({ typeId }) => OFFERED.includes(typeId)),
              },
            },
          },
    ),
})

/** One T4 host without servers whose agent allows everything; each round begins with the same. */
export const createRaceWorld = (): RaceWorld => {
  const control: RaceControl = {
    broken: null,
    nowMs: NOW.getTime(),
    beforeLook: () => undefined,
    onTheWay: (orders) => orders,
  }
  const now = () => new Date(control.nowMs)
  const world = createChangeWorld({
    allow: COMMAND_NAMES,
    fleetOf: (fleet) =>
      fleet
        .filter(({ spec }) => spec.name === RACE_HOST)
        .map((host) => ({ ...host, story: { kind: 'still' }, spec: emptied(host.spec) })),
    now,
    seams: {
      patienceMs: 0,
      now: () => (control.broken === 'late-orders' ? NOW : now()),
      guestXml: () => (control.broken === 'blind-agent' ? ['/etc'] : undefined),
      beforeLook: () => control.beforeLook(),
      onTheWay: (_host, orders) => control.onTheWay(orders),
      journal: (journal) => ({
        ...journal,
        has: (id) => control.broken !== 'late-orders' && journal.has(id),
      }),
    },
  })
  let base: HostSpec | null = null
  const typeTraits = new Map<string, readonly string[]>()
  const host = () => world.living(RACE_HOST)
  const state = () => world.openstack().cloud.placement
  const compute = (): ComputeNode => {
    const [node] = world.openstack().cloud.nova.computes
    if (node === undefined) throw new Error('the cloud has no compute node')
    return node
  }
  const devices = () => [...state().providers.values()].filter(({ parentUuid }) => parentUuid !== null)

  beforeAll(() => {
    base = host().spec()
    for (const { name, traits } of devices())
      typeTraits.set(
        name,
        [...traits].filter((trait) => trait.startsWith('CUSTOM_')),
      )
  })

  const tag = () => {
    for (const trait of state().customTraits)
      if (PASSING_TRAIT.test(trait)) state().customTraits.delete(trait)
    state().customTraits.add(RACK_TRAIT)
    for (const provider of devices()) {
      // Only the change and the races write traits.
      world.openstack().cloud.handTagged.add(provider.name)
      provider.traits = new Set([...(typeTraits.get(provider.name) ?? []), RACK_TRAIT])
      provider.generation += 1
    }
  }

  const addresses = (kind: RacedKind) =>
    GPU_INDEXES[kind].map((index) => host().spec().gpus[index]?.address ?? '')

  return {
    ...world,
    control,
    host,
    state,
    compute,
    addresses,
    providerNames: (kind) =>
      addresses(kind).map((address) => `${RACE_HOST}_pci_${address.replace(/[:.]/g, '_')}`),
    reset: async (kind) => {
      if (base === null) throw new Error('the world opens before the first round')
      // Agents forget what is older than a week.
      Object.assign(control, { nowMs: control.nowMs + HOUR_MS, beforeLook: () => undefined })
      host().become(specOf(base, kind))
      host().restartNova()
      Object.assign(compute(), { isDisabled: false, disabledReason: null })
      world.openstack().controls.refresh()
      tag()
      await world.readAgain()
    },
  }
}
