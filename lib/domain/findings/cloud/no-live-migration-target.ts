import { blockerText } from '@/lib/domain/cloud/blocker-text'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import {
  driverBlockers,
  endBlockers,
  type MigrationBlocker,
  pgpusOfType,
  releaseBlockers,
} from '@/lib/domain/cloud/migration-ends'
import { hostsByType } from '@/lib/domain/cloud/migration-matrix'
import { listText } from '@/lib/domain/wording'
import { type Detected, type FleetDetector, hostReports, makeFinding } from './detector'

const CODE = 'no-live-migration-target'

type TargetBlocker = { because: string; isUnknown: boolean }

const isUsed = (joined: JoinedHost, typeId: string): boolean =>
  pgpusOfType(joined, typeId).some(({ pgpu }) => (pgpu.numbers.used.value ?? 0) > 0)

const driverOf = ({ host }: JoinedHost): string | null => host.inventory.host.nvidiaDriverVersion

type Peer = { joined: JoinedHost; index: number; asDestination: readonly MigrationBlocker[] }

/** The hosts of a type, grouped by their driver and by what blocks them as a destination. */
const alikePeers = (hosts: readonly JoinedHost[], typeId: string): (readonly Peer[])[] => {
  const peers = hosts.map((joined, index): Peer => {
    const asDestination = endBlockers(joined, { typeId, location: 'destination' })
    return { joined, index, asDestination }
  })
  const groups = groupBy(peers, ({ joined, asDestination }) =>
    JSON.stringify([driverOf(joined), asDestination]),
  )
  return [...groups.values()]
}

/** One host of each group other than the source, in the order of the hosts. */
const peersOf = (source: JoinedHost, groups: readonly (readonly Peer[])[]): Peer[] =>
  groups
    .flatMap((group) => group.find(({ joined }) => joined !== source) ?? [])
    .toSorted((one, other) => one.index - other.index)

/** Permanent blockers of the best target; null if a target has none. */
const fewestBlockers = (
  source: JoinedHost,
  own: readonly MigrationBlocker[],
  peers: readonly Peer[],
): readonly TargetBlocker[] | null => {
  let fewest: readonly TargetBlocker[] | null = null
  for (const { joined: peer, asDestination } of peers) {
    const blockers = [...own, ...asDestination, ...driverBlockers(driverOf(source), driverOf(peer))]
    if (blockers.length === 0) return null
    const names = { source: source.host.name, destination: peer.host.name }
    if (fewest === null || blockers.length < fewest.length)
      fewest = blockers.map((blocker) => ({
        because: blockerText(blocker, names),
        isUnknown: blocker.isUnknown,
      }))
  }
  return fewest
}

const detectedFor = (
  source: JoinedHost,
  blockers: readonly TargetBlocker[],
  { typeId, typeName }: { typeId: string; typeName: string },
): Detected => {
  const { name } = source.host
  const sure = blockers.filter(({ isUnknown }) => !isUnknown)
  if (sure.length === 0)
    return {
      code: CODE,
      scope: { kind: 'host', host: name },
      because: listText(blockers.map(({ because }) => because)),
    }
  return makeFinding({
    code: CODE,
    severity: 'info',
    subject: { kind: 'host', host: name },
    part: typeId,
    sentence: `servers with ${typeName} cannot be live-migrated to any other host of the type`,
    consequence: 'Maintenance of this host stops these servers.',
    nextStep:
      'Bring libvirt, QEMU, kernel, driver and settings of at least two hosts of the type to the minimum for live migration.',
    command: null,
    sourceToCorrect: null,
    evidence: [...new Set(sure.map(({ because }) => because))].map((because) =>
      hostReports(source, 'agent', because),
    ),
  })
}

const forType = (
  fleet: Fleet,
  typeId: string,
  typeName: string,
  hosts: readonly JoinedHost[],
): Detected[] => {
  const release = releaseBlockers(fleet, hosts, typeId)
  const groups = alikePeers(hosts, typeId)
  return hosts
    .filter((joined) => !joined.host.isSilent && isUsed(joined, typeId))
    .flatMap((source) => {
      const own = [...release, ...endBlockers(source, { typeId, location: 'source' })]
      const blockers = fewestBlockers(source, own, peersOf(source, groups))
      return blockers === null ? [] : [detectedFor(source, blockers, { typeId, typeName })]
    })
}

/** Hosts in use whose vGPUs no other host of the type could take by live migration, even if it were empty. */
export const noLiveMigrationTarget: FleetDetector = {
  code: CODE,
  title: 'Servers with vGPUs have no live migration target',
  reference: {
    severities: ['info'],
    sources: [],
    detection:
      "Agents, nova.conf and Nova's release: every other host of a vGPU type has a lasting blocker of live migration.",
    consequence: 'Maintenance of the host stops its servers with vGPUs.',
    nextStep:
      'Bring libvirt, QEMU, kernel, driver and settings of at least two hosts of the type to the minimum for live migration.',
  },
  needs: ['providers'],
  detect: (fleet) =>
    [...hostsByType(fleet)].flatMap(([typeId, { typeName, hosts }]) =>
      forType(fleet, typeId, typeName, hosts),
    ),
}
