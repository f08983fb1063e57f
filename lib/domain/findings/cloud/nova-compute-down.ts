import type { Fleet, GpuProvider } from '@/lib/domain/cloud/fleet-types'
import { isComputeDown } from '@/lib/domain/cloud/is-compute-down'
import type { ComputeService, Server } from '@/lib/domain/cloud/types'
import { usedOf } from '@/lib/domain/cloud/used-of'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { Evidence } from '../finding'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'nova-compute-down'

/** A host with GPUs, with or without an agent. */
type Down = {
  host: string
  service: ComputeService
  /** Null: the servers were not read. */
  servers: readonly Server[] | null
  providers: readonly GpuProvider[]
  restart: Encoded<'shell'>
}

const downHosts = (fleet: Fleet): Down[] => {
  const hasServers = fleet.input.facts.servers.value !== null
  const reporting = fleet.hosts.flatMap((joined): Down[] => {
    const service = joined.service.value
    if (service === null || joined.pgpus.length + joined.strays.length === 0) return []
    const providers = [...joined.pgpus.flatMap((entry) => entry.providers), ...joined.strays]
    const servers = hasServers ? joined.servers : null
    const { restart } = novaUnitOf(joined.host.inventory)
    return [{ host: joined.host.name, service, servers, providers, restart }]
  })
  const services = new Map((fleet.input.facts.services.value ?? []).map((service) => [service.host, service]))
  const unseen = fleet.unseen.flatMap(({ hypervisorHostname, providers }): Down[] => {
    const hypervisor = fleet.input.facts.hypervisors.value?.find(
      (entry) => entry.hypervisorHostname === hypervisorHostname,
    )
    const service = services.get(hypervisor?.serviceHost ?? hypervisorHostname)
    if (service === undefined) return []
    const servers = hasServers
      ? [...fleet.servers.values()].filter(({ host }) => host === service.host)
      : null
    return [{ host: service.host, service, servers, providers, restart: sh`systemctl restart nova-compute` }]
  })
  return [...reporting, ...unseen].filter(({ service }) => isComputeDown(service))
}

const blockedText = (servers: readonly Server[] | null): string => {
  if (servers?.length === 0) return 'The scheduler sends no server here, and Nova cannot update this host.'
  const subject =
    servers?.length === 1
      ? 'The guest of its server keeps'
      : `The guests of its ${servers === null ? '' : `${servers.length} `}servers keep`
  return `${subject} running if the host is up. Nova cannot start, stop, reboot, resize, migrate or delete them, and the scheduler sends no server here.`
}

const serversText = (servers: readonly Server[] | null): string => {
  if (servers === null) return 'servers were not read'
  return servers.length === 0
    ? 'no server on this host'
    : `${formatNoun(servers.length, 'server')}: ${listText(servers.map(({ name }) => name))}`
}

const evidenceOf = (fleet: Fleet, { service, servers, providers }: Down): Evidence[] => [
  cloudReports(
    fleet,
    'services',
    `${service.status}, ${service.isForcedDown ? 'forced down' : service.state}, last update ${service.updatedAt ?? 'not reported'}`,
  ),
  cloudReports(fleet, 'servers', serversText(servers)),
  ...(fleet.input.facts.providers.value === null
    ? []
    : [cloudReports(fleet, 'providers', `${usedOf(providers)} allocated of its GPU providers`)]),
]

/**
 * Nova reports a compute service as down when its last heartbeat is older than `[DEFAULT] service_down_time`
 * (nova/servicegroup/drivers/db.py is_up), or when an admin or a fencing program forced it down.
 */
export const novaComputeDown: FleetDetector = {
  code: CODE,
  title: 'nova-compute is down',
  reference: {
    severities: ['error', 'warning'],
    sources: ['nova'],
    detection: 'Nova: the service nova-compute of a host with GPUs is down or forced down.',
    consequence:
      'Nova cannot start, stop, reboot, resize, migrate or delete the servers of the host. The scheduler sends no server there.',
    nextStep:
      'Check the host, the message queue and the log of nova-compute, then restart nova-compute. If the host was fenced, evacuate its servers first.',
  },
  needs: ['services'],
  detect: (fleet) =>
    downHosts(fleet).map((down) => {
      const { host, service, servers, restart } = down
      const since = service.updatedAt === null ? '' : ` since ${service.updatedAt}`
      return makeFinding({
        code: CODE,
        severity: service.status === 'disabled' && servers?.length === 0 ? 'warning' : 'error',
        subject: { kind: 'host', host },
        // Each heartbeat changes the time of the last update, also of a service that is forced down.
        sentence: service.isForcedDown ? 'nova-compute is forced down' : `nova-compute is down${since}`,
        consequence: blockedText(servers),
        nextStep: service.isForcedDown
          ? 'If the host was fenced, evacuate its servers first. If it works again, remove the forced-down state.'
          : 'Check that the host is up, that it reaches the message queue, and the log of nova-compute. Then restart nova-compute.',
        command: service.isForcedDown
          ? sh`openstack compute service set --up ${shellOperands([service.host, 'nova-compute'])}`
          : restart,
        sourceToCorrect: 'nova',
        evidence: evidenceOf(fleet, down),
      })
    }),
}
