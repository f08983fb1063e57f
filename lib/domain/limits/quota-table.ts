import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { naturalOrder } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import { type EffectiveLimit, effectiveLimit, type OwnLimits, ownLimits } from './effective-limit'
import { countsPcpuAsVcpu, type LimitView, requestedClasses } from './limit-view'
import { usedOfClass } from './used-of-class'

/**
 * What a cloud has of a resource class. `capacity`: the maximum of the hardware, from the drivers if a pGPU is sliced,
 * else from Placement; `advertised`: what Placement's providers offer, which is more if SR-IOV cards advertise too many.
 */
type ClassCapacity = { capacity: Known; advertised: number; pgpus: number }

type Draft = { sum: number; gap: string | null; advertised: number; pgpus: number }

const offeredOf = ({ providers }: Pick<JoinedPgpu, 'providers'>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const { provider } of providers)
    for (const [name, { capacity }] of Object.entries(provider.inventories ?? {}))
      sums.set(name, (sums.get(name) ?? 0) + capacity)
  return sums
}

/** The driver's number of a sliced pGPU; a whole card, or one whose vGPUs are PCI devices, counts as in Placement. */
const realOf = ({ host }: JoinedHost, { pgpu, providers }: JoinedPgpu, offered: number): Known => {
  if (pgpu.framework !== 'mdev' && pgpu.framework !== 'mdev-sriov') return known(offered)
  const { capacity } = pgpu.numbers
  if (capacity.value === null) return unknown(`${host.name} ${pgpu.address}: ${capacity.reason}`)
  // Two types of one card under two classes: neither is known to get all of it.
  const classes = new Set(providers.flatMap(({ provider }) => Object.keys(provider.inventories ?? {})))
  return classes.size > 1 ? known(Math.min(offered, capacity.value)) : known(capacity.value)
}

/** By class name (`VGPU`), over every GPU provider that Placement shows. A step per host. */
function* classCapacities(fleet: Fleet): Generator<void, Map<string, ClassCapacity>> {
  const drafts = new Map<string, Draft>()
  const add = (name: string, offered: number, real: Known) => {
    const draft = drafts.get(name) ?? { sum: 0, gap: null, advertised: 0, pgpus: 0 }
    draft.sum += real.value ?? 0
    draft.gap ??= real.reason
    draft.advertised += offered
    draft.pgpus += 1
    drafts.set(name, draft)
  }
  for (const joined of fleet.hosts) {
    for (const entry of joined.pgpus)
      for (const [name, offered] of offeredOf(entry)) add(name, offered, realOf(joined, entry, offered))
    yield
  }
  for (const { hypervisorHostname, providers } of fleet.unseen)
    for (const [name, offered] of offeredOf({ providers }))
      add(name, offered, unknown(`no agent reports from ${hypervisorHostname}`))
  return new Map(
    [...drafts].map(([name, { sum, gap, advertised, pgpus }]) => [
      name,
      { capacity: gap === null ? known(sum) : unknown(gap), advertised, pgpus },
    ]),
  )
}

/**
 * What migrations of a project use of a class in addition to its servers: Placement counts source and destination until
 * the move is confirmed.
 */
export type MovingUse = { amount: number; servers: string[] }

/** By project, then by class name. Live migrations, resizes and cold migrations all hold the source under their own uuid. */
export const movingUse = oncePer((fleet: Fleet): ReadonlyMap<string, ReadonlyMap<string, MovingUse>> => {
  const found = new Map<string, Map<string, MovingUse>>()
  for (const [uuid, migration] of fleet.migrations) {
    const server = fleet.servers.get(migration.serverUuid)
    if (server === undefined) continue
    const ofProject = found.get(server.projectId) ?? new Map<string, MovingUse>()
    for (const { resources } of fleet.allocationsByConsumer.get(uuid) ?? [])
      for (const [name, amount] of Object.entries(resources)) {
        const held = ofProject.get(name) ?? { amount: 0, servers: [] }
        const servers = held.servers.includes(server.name) ? held.servers : [...held.servers, server.name]
        ofProject.set(name, { amount: held.amount + amount, servers })
      }
    if (ofProject.size > 0) found.set(server.projectId, ofProject)
  }
  return found
})

/**
 * What Placement counts for a project, by class name; or why that is not known. `servers`: how many Nova counts; null: it did not
 * tell; absent: it was not asked.
 */
export type ProjectUse =
  | { usages: Readonly<Record<string, number>>; servers?: number | null; because: null }
  | { usages: null; because: string }

type QuotaRow = {
  projectId: string
  projectName: string
  resourceName: string
  limit: EffectiveLimit
  used: Known
  /** Part of `used` that a move holds for the second time. */
  moving: MovingUse
  /** The unused part of the limit; below 0 when over. Null: unknown, or no limit. */
  left: number | null
}

type QuotaClass = {
  /** `class:VGPU`. */
  resourceName: string
  isGpu: boolean
  /** The limit of projects that have only the default. */
  standard: EffectiveLimit
  /** Null: no GPU provider offers it. */
  capacity: Known | null
  advertised: number | null
  /** Of all projects that were asked; null: of one it is not known. */
  used: number | null
  /**
   * Limits of all projects, including defaults; null: one is unknown. Projects without any limit are counted separately.
   */
  sum: number | null
  unlimitedProjects: number
  ownCount: number
}

export type QuotaTable = { classes: QuotaClass[]; rows: QuotaRow[] }

const isClassName = (resourceName: string): boolean => resourceName.startsWith('class:')

const PLAIN = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'])
const NOTHING: MovingUse = { amount: 0, servers: [] }

/** Registered ones of Nova's region, those that flavors for GPUs ask for, and those that GPU providers offer; GPUs first. */
const namesOf = (fleet: Fleet, view: LimitView, offered: Iterable<string>): string[] => {
  const requested = [...requestedClasses(fleet).keys(), ...offered].map((name) => `class:${name}`)
  const names = new Set([...[...view.effective.keys()].filter(isClassName), ...requested])
  return [...names].toSorted((a, b) => Number(isPlain(a)) - Number(isPlain(b)) || naturalOrder(a, b))
}

const isPlain = (resourceName: string): boolean => PLAIN.has(resourceName.slice('class:'.length))

const usedOf = (fleet: Fleet, use: ProjectUse | undefined, name: string): Known => {
  if (use === undefined) return { value: null, reason: 'Placement was not queried for this project' }
  return use.usages === null
    ? { value: null, reason: use.because }
    : { value: usedOfClass(use.usages, { name, countsPcpu: countsPcpuAsVcpu(fleet) }), reason: null }
}

type Inputs = {
  fleet: Fleet
  view: LimitView
  own: OwnLimits
  uses: ReadonlyMap<string, ProjectUse>
  moving: ReturnType<typeof movingUse>
}

const rowOf = (
  { fleet, view, own, uses, moving }: Inputs,
  {
    projectId,
    projectName,
    resourceName,
    standard,
  }: Pick<QuotaRow, 'projectId' | 'projectName' | 'resourceName'> & Pick<QuotaClass, 'standard'>,
): QuotaRow => {
  const name = resourceName.slice('class:'.length)
  // Of an unregistered class it is equal for all projects, and reads the nova.conf of every host.
  const limit = view.effective.has(resourceName)
    ? effectiveLimit(fleet, view, { own, projectId, resourceName })
    : standard
  const used = usedOf(fleet, uses.get(projectId), name)
  return {
    projectId,
    projectName,
    resourceName,
    limit,
    used,
    moving: moving.get(projectId)?.get(name) ?? NOTHING,
    left: limit.kind === 'number' && used.value !== null ? limit.value - used.value : null,
  }
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

/** Negative limits refuse everything, so they count as 0. */
const promised = (limit: EffectiveLimit): number | null =>
  limit.kind === 'number' ? Math.max(0, limit.value) : limit.kind === 'unlimited' ? 0 : null

type Wanted = {
  view: LimitView
  /** Placement's count, by project. */
  uses: ReadonlyMap<string, ProjectUse>
  /** Names of the classes that are needed; null: all. */
  only?: ReadonlySet<string> | null
}

/** Limit and use of every enabled project in every class, with the sums of each class. A step is one class. */
export function* quotaTableInSteps(
  fleet: Fleet,
  { view, uses, only = null }: Wanted,
): Generator<void, QuotaTable> {
  yield* prepareFlavors(fleet)
  const own = ownLimits(view)
  const capacities = yield* classCapacities(fleet)
  const inputs: Inputs = { fleet, view, own, uses, moving: movingUse(fleet) }
  const projects = [...fleet.projects.values()].filter(({ isEnabled }) => isEnabled)
  const names = namesOf(fleet, view, capacities.keys()).filter((name) => only === null || only.has(name))
  const table: QuotaTable = { classes: [], rows: [] }
  for (const resourceName of names) {
    yield
    const standard = effectiveLimit(fleet, view, { own, projectId: null, resourceName })
    const rows = projects.map(({ id, name }) =>
      rowOf(inputs, { projectId: id, projectName: name, resourceName, standard }),
    )
    const found = capacities.get(resourceName.slice('class:'.length))
    table.classes.push({
      resourceName,
      isGpu: !isPlain(resourceName),
      standard,
      capacity: found?.capacity ?? null,
      advertised: found?.advertised ?? null,
      used: sumOf(rows.map(({ used }) => used.value)),
      sum: sumOf(rows.map(({ limit }) => promised(limit))),
      unlimitedProjects: rows.filter(({ limit }) => limit.kind === 'unlimited').length,
      ownCount: rows.filter(({ limit }) => limit.origin === 'own').length,
    })
    for (const row of rows) table.rows.push(row)
  }
  return table
}
