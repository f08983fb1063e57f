import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import { advertisedOf } from './advertised'
import type { Fleet, JoinedHost, JoinedPgpu } from './fleet-types'
import { closedBecause, freeByHardware } from './stranded'
import { isAtLeast } from './version'

/** What stands in the way of a live migration. `lasting`: until somebody changes a host, not only now. */
export type MigrationBlocker = { because: string; isLasting: boolean; isUnknown: boolean }

/** From one host to another, for vGPUs of one type. */
type MigrationPair = {
  source: string
  destination: string
  verdict: 'possible' | 'blocked' | 'unknown'
  blockers: readonly MigrationBlocker[]
  /** What NVIDIA or Nova advise against, without forbidding it. */
  cautions: readonly string[]
}

export type MigrationMatrix = {
  typeId: string
  typeName: string
  hosts: readonly string[]
  /** Every ordered pair of the hosts, sources first. */
  pairs: readonly MigrationPair[]
}

const lasting = (because: string): MigrationBlocker => ({ because, isLasting: true, isUnknown: false })
const passing = (because: string): MigrationBlocker => ({ because, isLasting: false, isUnknown: false })
const untold = (because: string): MigrationBlocker => ({ because, isLasting: true, isUnknown: true })

/** The pGPUs of a host that carry a type: it is configured for them, or vGPUs of it exist. */
export const pgpusOfType = ({ pgpus }: JoinedHost, typeId: string): JoinedPgpu[] =>
  pgpus.filter(({ pgpu }) => (pgpu.currentType?.typeId ?? pgpu.configuredType?.typeId) === typeId)

/** Every type that hosts carry, with the hosts. */
export const hostsByType = (fleet: Fleet): Map<string, { typeName: string; hosts: JoinedHost[] }> => {
  const types = new Map<string, { typeName: string; hosts: JoinedHost[] }>()
  for (const joined of fleet.hosts) {
    const own = new Map(
      joined.pgpus.flatMap(({ pgpu }) =>
        pgpu.currentType === null ? [] : [[pgpu.currentType.typeId, pgpu.currentType]],
      ),
    )
    for (const [typeId, { shortName }] of own) {
      const held = types.get(typeId)
      if (held === undefined) types.set(typeId, { typeName: shortName, hosts: [joined] })
      else held.hosts.push(joined)
    }
  }
  return types
}

const LEAST = {
  libvirtVersion: ['libvirt', '8.6.0'],
  qemuVersion: ['QEMU', '8.1.0'],
  kernel: ['kernel', '5.18'],
} as const

const optionOf = ({ host }: JoinedHost, name: string): string | null => {
  const config = host.inventory.novaConfig
  if (config === null) return null
  const found = effectiveOptions(config).find(
    ({ present, isEffective }) => isEffective && present.section === 'libvirt' && present.name === name,
  )
  return found?.option.value.trim() ?? null
}

/** What keeps one end from any live migration of mdevs (reference 1.10). */
export const endBlockers = (joined: JoinedHost): MigrationBlocker[] => {
  const { name, inventory, isSilent, seenAt } = joined.host
  if (isSilent) return [untold(`${name} has been silent since ${seenAt}`)]
  const blockers = (['libvirtVersion', 'qemuVersion', 'kernel'] as const).flatMap((key) => {
    const [what, least] = LEAST[key]
    const version = inventory.host[key]
    const isNew = isAtLeast(version, least)
    if (isNew === null) return [untold(`the ${what} version of ${name} is not known`)]
    return isNew ? [] : [lasting(`${name} has ${what} ${version}, ${least} is needed`)]
  })
  if (/^(true|1|yes|on)$/i.test(optionOf(joined, 'live_migration_permit_post_copy') ?? ''))
    blockers.push(lasting(`live_migration_permit_post_copy is on at ${name}`))
  return blockers
}

/** mdev live migration came with Nova 29 (2024.1), compute API 2.96. */
export const releaseBlockers = (fleet: Fleet): MigrationBlocker[] => {
  const isNew = isAtLeast(fleet.input.facts.versions.nova, '2.96')
  if (isNew === null) return [untold("Nova's release is not known")]
  return isNew ? [] : [lasting('Nova live-migrates mdevs from 2024.1 on')]
}

/** Differences between two ends that last. */
export const pairBlockers = (source: JoinedHost, destination: JoinedHost): MigrationBlocker[] => {
  const from = source.host.inventory.host.nvidiaDriverVersion
  const to = destination.host.inventory.host.nvidiaDriverVersion
  if (from === null || to === null) return [untold('a driver version is not known')]
  return from === to ? [] : [lasting(`the drivers differ: ${from} and ${to}`)]
}

const roomBlockers = (fleet: Fleet, destination: JoinedHost, typeId: string): MigrationBlocker[] => {
  const { name } = destination.host
  const closed = closedBecause(destination)
  const cards = pgpusOfType(destination, typeId)
  const isConfigured = cards.some(({ pgpu }) => pgpu.configuredType?.typeId === typeId)
  if (!isConfigured) return [lasting(`nova.conf of ${name} no longer names the type`)]
  const free = cards.map((entry) => {
    const [hardware, placement] = [
      freeByHardware(entry).value,
      advertisedOf(fleet, destination, entry).free.value,
    ]
    return hardware === null || placement === null ? null : Math.min(hardware, placement)
  })
  const known = free.filter((count) => count !== null)
  const room = known.some((count) => count > 0)
    ? []
    : [
        known.length < free.length
          ? untold(`the free vGPUs of ${name} are not known`)
          : passing(`${name} has no free vGPU of the type`),
      ]
  return [...(closed === null ? [] : [passing(`${name}: ${closed}`)]), ...room]
}

const cautionsOf = (source: JoinedHost, destination: JoinedHost): string[] => {
  const ends = [source, destination]
  const ubuntu = ends.find(({ host }) => /ubuntu/i.test(host.inventory.host.osName ?? ''))
  const downtime = Number(optionOf(source, 'live_migration_downtime') ?? 500)
  const types = destination.nova?.mdev.types.length ?? 0
  return [
    ...(ubuntu === undefined ? [] : [`NVIDIA does not support it on Ubuntu (${ubuntu.host.name})`]),
    ...(downtime < 500_000
      ? [`live_migration_downtime of ${source.host.name} is ${downtime}, 500000 is advised`]
      : []),
    ...(types > 1
      ? [`${destination.host.name} has ${types} types: the flavor must ask for this one by trait or class`]
      : []),
  ]
}

const verdictOf = (blockers: readonly MigrationBlocker[]): MigrationPair['verdict'] => {
  if (blockers.some(({ isUnknown }) => !isUnknown)) return 'blocked'
  return blockers.length === 0 ? 'possible' : 'unknown'
}

/**
 * Whether servers with vGPUs of a type can be live-migrated between hosts, pair by pair. `hosts` limits it to some; without
 * it every host that carries the type is in, which grows with the square of their number.
 */
export const migrationMatrix = (
  fleet: Fleet,
  { typeId, hosts }: { typeId: string; hosts?: ReadonlySet<string> },
): MigrationMatrix => {
  const of = hostsByType(fleet).get(typeId)
  const joined = (of?.hosts ?? []).filter(({ host }) => hosts === undefined || hosts.has(host.name))
  const release = releaseBlockers(fleet)
  const ends = new Map(joined.map((entry) => [entry, endBlockers(entry)]))
  const rooms = new Map(joined.map((entry) => [entry, roomBlockers(fleet, entry, typeId)]))
  const pairs = joined.flatMap((source) =>
    joined
      .filter((destination) => destination !== source)
      .map((destination): MigrationPair => {
        const blockers = [
          ...release,
          ...(ends.get(source) ?? []),
          ...(ends.get(destination) ?? []),
          ...pairBlockers(source, destination),
          ...(rooms.get(destination) ?? []),
        ]
        return {
          source: source.host.name,
          destination: destination.host.name,
          verdict: verdictOf(blockers),
          blockers,
          cautions: cautionsOf(source, destination),
        }
      }),
  )
  return { typeId, typeName: of?.typeName ?? typeId, hosts: joined.map(({ host }) => host.name), pairs }
}
