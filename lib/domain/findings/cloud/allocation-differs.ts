import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import type { Server } from '@/lib/domain/cloud/types'
import { firstVgpuOnly, givesAllVgpus } from '@/lib/domain/fit/first-vgpu-only'
import { type FlavorRequest, requestOfExtraSpecs } from '@/lib/domain/fit/flavor-request'
import { gpusOfServer, isGpuClassIn } from '@/lib/domain/fit/gpu-classes'
import { novaSince, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { listText } from '@/lib/domain/wording'
import type { Guest } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import type { Finding } from '../finding'
import { migrateServer } from './allocation-commands'
import { isMoving } from './allocation-holders'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'allocation-differs'

/** The parents of a host's mdevs, and the functions of its pGPUs with a provider. */
const attachable = oncePer(({ host, pgpus }: JoinedHost) => ({
  parents: new Map((host.inventory.mdevs ?? []).map(({ uuid, parent }) => [uuid, parent])),
  functions: new Set(
    pgpus.filter(({ providers }) => providers.length > 0).flatMap((entry) => entry.functions),
  ),
}))

/** What a guest has of pGPUs with a provider; null while one of its mdevs is not in the report. */
const attachedTo = (joined: JoinedHost, guest: Guest): string[] | null => {
  const { parents, functions } = attachable(joined)
  if (guest.mdevs.some(({ uuid }) => !parents.has(uuid))) return null
  return [
    ...guest.mdevs
      .filter(({ uuid }) => functions.has(parents.get(uuid) ?? ''))
      .map(({ uuid }) => `mdev ${uuid}`),
    ...guest.pciDevices.filter(({ address }) => functions.has(address)).map(({ address }) => address),
  ]
}

/** vGPUs and devices that Placement has allocated to a consumer on the pGPUs of a host. */
const allocatedTo = (fleet: Fleet, { pgpus }: JoinedHost, uuid: string): number => {
  const own = new Set(pgpus.flatMap(({ providers }) => providers.map(({ provider }) => provider.uuid)))
  return (fleet.allocationsByConsumer.get(uuid) ?? [])
    .filter(({ providerUuid }) => own.has(providerUuid))
    .flatMap(({ resources }) => Object.entries(resources))
    .reduce((sum, [name, amount]) => sum + (isGpuClassIn(fleet, name) ? amount : 0), 0)
}

const amountOf = (fleet: Fleet, server: Server, request: FlavorRequest): number =>
  request.aliases.reduce((sum, { count }) => sum + count, gpusOfServer(fleet, server))

type Repair = Pick<Finding, 'nextStep' | 'command'>

const repairOfMore = (fleet: Fleet, joined: JoinedHost, server: Server): Repair => {
  const isExact = rangeHas(hostRange(fleet, joined), 'exactHostdevs') === true
  const bug = isExact
    ? ''
    : ` An alias may attach too many VFs (bug 2098496), which ${novaSince('exactHostdevs')} fixes.`
  return {
    nextStep: `Cold migrate the server when its user agrees: Nova then attaches what Placement allocates.${bug}`,
    command: migrateServer(server.uuid),
  }
}

/** A migration attaches the vGPUs of one group again where Nova attaches no others. */
const repairOfFewer = (fleet: Fleet, server: Server, request: FlavorRequest): Repair =>
  givesAllVgpus(fleet) !== true && firstVgpuOnly(fleet, request) !== null
    ? {
        nextStep: `Releases before ${novaSince('severalVgpuGroups')} attach the vGPUs of one request group only (bug 1758086). Request one larger vGPU.`,
        command: null,
      }
    : {
        nextStep:
          'Cold migrate the server when its user agrees, so that Nova attaches what Placement allocates. A hard reboot keeps the devices that the guest has.',
        command: migrateServer(server.uuid),
      }

const consequenceOf = (attached: number, allocated: number, requested: number): string => {
  if (attached > allocated)
    return 'Placement offers a device that is in use. A server that gets it fails to start.'
  return requested > attached
    ? 'Placement counts a device as used that the guest does not have. The server runs with fewer GPUs than its flavor requests.'
    : 'Placement counts a device as used that the server does not have.'
}

const findingFor = (
  fleet: Fleet,
  joined: JoinedHost,
  {
    guest,
    server,
    attached,
    allocated,
  }: { guest: Guest; server: Server; attached: string[]; allocated: number },
) => {
  const isMore = attached.length > allocated
  const request = requestOfExtraSpecs(server.extraSpecs)
  const requested = amountOf(fleet, server, request)
  const isPlacementRight = requested === allocated
  return makeFinding({
    code: CODE,
    severity: isMore ? 'error' : 'warning',
    subject: { kind: 'server', uuid: server.uuid, name: server.name, host: joined.host.name },
    sentence: `${server.name} has ${attached.length} attached and ${allocated} allocated`,
    consequence: consequenceOf(attached.length, allocated, requested),
    ...(isMore ? repairOfMore(fleet, joined, server) : repairOfFewer(fleet, server, request)),
    sourceToCorrect: isPlacementRight ? 'libvirt' : 'placement',
    evidence: [
      hostReports(joined, 'libvirt', `${guest.name} has ${listText(attached)}`),
      cloudReports(fleet, 'allocations', `${allocated} allocated on the GPUs of ${joined.host.name}`),
      cloudReports(fleet, 'servers', `the flavor ${server.flavorName ?? ''} requests ${requested}`),
    ],
  })
}

/**
 * A guest with another number of vGPUs or devices than Placement has allocated to its server. Nova keeps no such invariant:
 * bug 2098496 (several VFs for one), bug 1758086 (vGPUs of one group only).
 */
export const allocationDiffers: JoinedHostDetector = {
  code: CODE,
  title: 'Attached and allocated devices differ',
  reference: {
    severities: ['error', 'warning'],
    sources: ['libvirt', 'placement'],
    detection:
      'libvirt, Placement and Nova: a guest has another number of vGPUs or devices than Placement has allocated to its server.',
    consequence:
      'With more attached, Placement offers a device that is in use. With fewer, Placement counts a device as used that the server does not have.',
    nextStep: 'Cold migrate the server when its user agrees, so that Nova attaches what Placement allocates.',
  },
  needs: ['providers', 'allocations', 'servers', 'migrations'],
  hostNeeds: ['root', 'guests', 'mdevs'],
  detect: (joined, fleet) =>
    (joined.host.inventory.guests ?? []).flatMap((guest) => {
      const server = fleet.servers.get(guest.uuid)
      if (server === undefined || isMoving(fleet, server)) return []
      const attached = attachedTo(joined, guest)
      if (attached === null || attached.length === 0) return []
      const allocated = allocatedTo(fleet, joined, server.uuid)
      if (allocated === 0 || allocated === attached.length) return []
      return [findingFor(fleet, joined, { guest, server, attached, allocated })]
    }),
}
