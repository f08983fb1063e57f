import { blockerText } from '@/lib/domain/cloud/blocker-text'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { type MigrationMatrix, migrationMatrix } from '@/lib/domain/cloud/migration-matrix'
import type { Server } from '@/lib/domain/cloud/types'
import { vgpuActionSentence } from '@/lib/domain/cloud/vgpu-actions'
import { meaningOfAlias } from '@/lib/domain/fit/alias-meaning'
import { countHost, flavorQuestion, hasGpus } from '@/lib/domain/fit/explain-fit'
import { readAliases } from '@/lib/domain/fit/extra-spec-problems'
import { type FlavorLike, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { strictBool } from '@/lib/domain/nova-config/python-values'
import { listText } from '@/lib/domain/wording'
import type { WayOut } from './tasks'
import { hasFreeAlias } from './vfio/alias-devices'

/** A server that holds a vGPU of a pGPU whose type is to change, and how it can leave. */
export type StuckServer = {
  host: string
  address: string
  serverUuid: string
  name: string
  status: string
  flavorName: string | null
  projectName: string
  way: WayOut
  /** Hosts that would take it now. */
  to: string[]
  /** Why not by a better way; null: it can be live-migrated. */
  because: string | null
}

/** Asks the same question of the fleet once. */
type Answers = { fits: Map<string, string[]>; matrices: Map<string, MigrationMatrix> }

const withoutAlias = (flavor: FlavorLike): FlavorLike => {
  const { 'pci_passthrough:alias': _alias, ...extraSpecs } = flavor.extraSpecs
  return { ...flavor, extraSpecs }
}

/** Hosts on which one more server of this flavor fits, by hardware, Placement, CPU and memory. */
function* hostsFor(fleet: Fleet, server: Server, { fits }: Answers): Generator<void, string[] | null> {
  const { vcpus, memoryMib, diskGib, extraSpecs } = server
  if (vcpus === null || memoryMib === null || diskGib === null) return null
  const flavor = { vcpus, memoryMib, diskGib, ephemeralGib: 0, swapMib: 0, extraSpecs }
  const key = JSON.stringify(flavor)
  const held = fits.get(key)
  if (held !== undefined) return held
  const { aliases } = readFlavorRequest(flavor)
  // The devices of an alias are checked separately; CPU, memory and all else are checked without it.
  const question = flavorQuestion(withoutAlias(flavor))
  const withHeadroom: string[] = []
  for (const joined of fleet.hosts.filter(hasGpus)) {
    const isOpen = () => hostBlockers(fleet, joined, question).length === 0
    if ((countHost(fleet, joined, question, isOpen).fits.value ?? 0) > 0) withHeadroom.push(joined.host.name)
    yield
  }
  const found: string[] = []
  for (const host of withHeadroom) {
    if (aliases.every((alias) => hasFreeAlias(fleet, host, alias))) found.push(host)
    yield
  }
  fits.set(key, found)
  return found
}

const liveTargets = (
  fleet: Fleet,
  { source, typeId, to }: { source: string; typeId: string; to: readonly string[] },
  { matrices }: Answers,
): { hosts: string[]; because: string | null } => {
  const matrix = matrices.get(typeId) ?? migrationMatrix(fleet, typeId)
  matrices.set(typeId, matrix)
  const groupOf = new Map(matrix.hosts.map(({ name, group }) => [name, group]))
  const pairTo = (host: string) =>
    matrix.pairs.find((pair) => pair.source === groupOf.get(source) && pair.destination === groupOf.get(host))
  const hosts = to.filter((host) => pairTo(host)?.verdict === 'possible')
  const [other] = to
  const blocker = other === undefined ? undefined : pairTo(other)?.blockers[0]
  return {
    hosts,
    because:
      blocker === undefined || other === undefined
        ? null
        : blockerText(blocker, { source, destination: other }),
  }
}

/**
 * Nova live-migrates PCI devices only if the alias sets live_migratable, and a server keeps the alias it was created with.
 * Source: nova/conductor/tasks/live_migrate.py _check_can_migrate_pci, nova/objects/instance_pci_requests.py.
 */
const aliasReason = (fleet: Fleet, { extraSpecs }: Server): string | null => {
  const named = readAliases(extraSpecs['pci_passthrough:alias'])
  const fixed = named.find(({ name }) => {
    const meaning = meaningOfAlias(fleet, name)
    return (
      meaning.state === 'known' &&
      meaning.entries.some(({ live_migratable: value }) => strictBool(value ?? 'no') !== true)
    )
  })
  return fixed === undefined
    ? null
    : `the alias ${fixed.name} does not set live_migratable in [pci] alias, and a server keeps the alias that it was created with`
}

const MOVABLE = ['ACTIVE', 'PAUSED', 'SHUTOFF']

function* wayOf(
  fleet: Fleet,
  {
    server,
    joined,
    typeId,
    avoid,
  }: { server: Server; joined: JoinedHost; typeId: string; avoid: ReadonlySet<string> },
  answers: Answers,
): Generator<void, Pick<StuckServer, 'way' | 'to' | 'because'>> {
  const owner = (because: string) => ({ way: 'owner' as const, to: [], because })
  if (!MOVABLE.includes(server.status) || server.taskState !== null)
    return owner(
      `it is ${server.taskState ?? server.status}, and Nova migrates only servers that are running or shut off`,
    )
  const all = yield* hostsFor(fleet, server, answers)
  if (all === null) return owner('Nova did not report its requirements')
  const to = all.filter((host) => !avoid.has(host))
  if (to.length === 0)
    return owner('no other host has a free vGPU with the CPU and memory that its flavor requests')
  if (server.status === 'SHUTOFF') return { way: 'cold', to, because: 'it is shut off' }
  const fixed = aliasReason(fleet, server)
  if (fixed !== null) return { way: 'cold', to, because: fixed }
  const live = liveTargets(fleet, { source: joined.host.name, typeId, to }, answers)
  return live.hosts.length > 0
    ? { way: 'live', to: live.hosts, because: null }
    : { way: 'cold', to, because: live.because ?? `no live migration to ${listText(to)}` }
}

/** Whether Nova's release supports the move of a server with vGPUs, as a sentence; null: nothing to state. */
export const moveSupport = (
  { input: { facts } }: Fleet,
  { way, entry }: { way: WayOut; entry: JoinedPgpu | undefined },
): string | null => {
  const framework = entry?.pgpu.framework
  if (way === 'owner') return null
  if (framework === 'vendor-vfio')
    return way === 'live' ? vgpuActionSentence('vfioLiveMigration', facts.versions) : null
  if (framework !== 'mdev' && framework !== 'mdev-sriov') return null
  return vgpuActionSentence(way === 'live' ? 'liveMigration' : 'move', facts.versions)
}

/** The servers that hold a vGPU of a pGPU, by its guests (shut-off ones too) and by Placement's allocations. */
function* stuckOn(
  fleet: Fleet,
  joined: JoinedHost,
  { entry, avoid }: { entry: JoinedPgpu; avoid: ReadonlySet<string> },
  answers: Answers,
): Generator<void, StuckServer[]> {
  const { pgpu, functions, providers } = entry
  const mdevs = new Map((joined.host.inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev]))
  const holders = new Set([
    ...(joined.host.inventory.guests ?? [])
      .filter(
        (guest) =>
          guest.mdevs.some(({ uuid }) => functions.includes(mdevs.get(uuid)?.parent ?? '')) ||
          guest.pciDevices.some((device) => functions.includes(device.address)),
      )
      .map(({ uuid }) => uuid),
    ...providers.flatMap(({ provider }) =>
      (fleet.allocationsByProvider.get(provider.uuid) ?? []).map(({ consumerUuid }) => consumerUuid),
    ),
  ])
  const typeId = pgpu.currentType?.typeId ?? pgpu.configuredType?.typeId ?? ''
  const found: StuckServer[] = []
  for (const uuid of holders) {
    const server = fleet.servers.get(uuid)
    if (server === undefined) continue
    found.push({
      host: joined.host.name,
      address: pgpu.address,
      serverUuid: uuid,
      name: server.name,
      status: server.status,
      flavorName: server.flavorName,
      projectName: fleet.projects.get(server.projectId)?.name ?? server.projectId,
      ...(yield* wayOf(fleet, { server, joined, typeId, avoid }, answers)),
    })
  }
  return found
}

type Emptied = { joined: JoinedHost; targets: readonly { entry: JoinedPgpu }[] }

/**
 * The servers that hold vGPUs of the pGPUs of each draft, and how they can leave the hosts of all drafts, in steps: between two
 * of them other work can run.
 */
export function* stuckServers<Draft extends Emptied>(
  fleet: Fleet,
  drafts: readonly Draft[],
): Generator<void, Map<Draft, StuckServer[]>> {
  const answers: Answers = { fits: new Map(), matrices: new Map() }
  const avoid = new Set(drafts.map(({ joined }) => joined.host.name))
  const servers = new Map<Draft, StuckServer[]>()
  for (const draft of drafts) {
    const own: StuckServer[] = []
    for (const { entry } of draft.targets)
      own.push(...(yield* stuckOn(fleet, draft.joined, { entry, avoid }, answers)))
    servers.set(draft, own)
  }
  return servers
}
