import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  blockerText,
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

type Told = { because: string; isUnknown: boolean }

type Ends = { asSource: readonly MigrationBlocker[]; asDestination: readonly MigrationBlocker[] }

const isUsed = (joined: JoinedHost, typeId: string): boolean =>
  pgpusOfType(joined, typeId).some(({ pgpu }) => (pgpu.numbers.used.value ?? 0) > 0)

const driverOf = ({ host }: JoinedHost): string | null => host.inventory.host.nvidiaDriverVersion

/** Lasting blockers on the way to the best target; null when there is a target without any. */
const leastBlocked = (
  source: JoinedHost,
  peers: readonly JoinedHost[],
  endsOf: (joined: JoinedHost) => Ends,
): readonly Told[] | null => {
  const own = endsOf(source).asSource
  let least: readonly Told[] | null = null
  for (const peer of peers) {
    const blockers = [
      ...own,
      ...endsOf(peer).asDestination,
      ...driverBlockers(driverOf(source), driverOf(peer)),
    ]
    if (blockers.length === 0) return null
    const names = { source: source.host.name, destination: peer.host.name }
    if (least === null || blockers.length < least.length)
      least = blockers.map((blocker) => ({
        because: blockerText(blocker, names),
        isUnknown: blocker.isUnknown,
      }))
  }
  return least
}

const detectedFor = (
  source: JoinedHost,
  blockers: readonly Told[],
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
    sentence: `servers with ${typeName} can be live-migrated to no other host of the type`,
    consequence: 'Maintenance of this host stops these servers.',
    nextStep:
      'Bring libvirt, QEMU, kernel, driver and settings of at least two hosts of the type to what live migration needs.',
    command: null,
    blame: null,
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
  const ends = new Map(
    hosts.map((joined) => [
      joined,
      {
        asSource: [...release, ...endBlockers(joined, { typeId, place: 'source' })],
        asDestination: endBlockers(joined, { typeId, place: 'destination' }),
      },
    ]),
  )
  const endsOf = (joined: JoinedHost): Ends => ends.get(joined) ?? { asSource: [], asDestination: [] }
  return hosts
    .filter((joined) => !joined.host.isSilent && isUsed(joined, typeId))
    .flatMap((source) => {
      const blockers = leastBlocked(
        source,
        hosts.filter((joined) => joined !== source),
        endsOf,
      )
      return blockers === null ? [] : [detectedFor(source, blockers, { typeId, typeName })]
    })
}

/** Hosts in use whose vGPUs no other host of the type could take live, whatever is free there. */
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
