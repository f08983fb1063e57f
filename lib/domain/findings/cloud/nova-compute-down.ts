import type { Fleet, GpuProvider } from '@/lib/domain/cloud/fleet-types'
import { isComputeDown } from '@/lib/domain/cloud/is-compute-down'
import type { ComputeService, Server } from '@/lib/domain/cloud/types'
import { listText, plural } from '@/lib/domain/wording'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'nova-compute-down'

/** A host with GPUs, with or without an agent. */
type Down = {
  host: string
  service: ComputeService
  servers: readonly Server[]
  providers: readonly GpuProvider[]
}

const downHosts = (fleet: Fleet): Down[] => {
  const reporting = fleet.hosts.flatMap((joined): Down[] => {
    const service = joined.service.value
    if (service === null || joined.pgpus.length + joined.strays.length === 0) return []
    const providers = [...joined.pgpus.flatMap((entry) => entry.providers), ...joined.strays]
    return [{ host: joined.host.name, service, servers: joined.servers, providers }]
  })
  const services = new Map((fleet.input.facts.services.value ?? []).map((service) => [service.host, service]))
  const unseen = fleet.unseen.flatMap(({ hypervisorHostname, providers }): Down[] => {
    const hypervisor = fleet.input.facts.hypervisors.value?.find(
      (entry) => entry.hypervisorHostname === hypervisorHostname,
    )
    const service = services.get(hypervisor?.serviceHost ?? hypervisorHostname)
    if (service === undefined) return []
    const servers = [...fleet.servers.values()].filter(({ host }) => host === service.host)
    return [{ host: service.host, service, servers, providers }]
  })
  return [...reporting, ...unseen].filter(({ service }) => isComputeDown(service))
}

const usedOf = (providers: readonly GpuProvider[]): number =>
  providers
    .flatMap(({ provider }) => Object.values(provider.inventories ?? {}))
    .reduce((sum, { used }) => sum + used, 0)

const blockedText = (servers: readonly Server[]): string => {
  if (servers.length === 0) return 'The scheduler sends no server here, and Nova can not update this host.'
  const subject =
    servers.length === 1
      ? 'The guest of its server keeps'
      : `The guests of its ${servers.length} servers keep`
  return `${subject} running if the host is up. Nova can not start, stop, reboot, resize, migrate or delete them, and the scheduler sends no server here.`
}

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
    downHosts(fleet).map(({ host, service, servers, providers }) => {
      const since = service.updatedAt === null ? '' : ` since ${service.updatedAt}`
      const used = usedOf(providers)
      const names = listText(servers.map(({ name }) => name))
      return makeFinding({
        code: CODE,
        severity: service.status === 'disabled' && servers.length === 0 ? 'warning' : 'error',
        subject: { kind: 'host', host },
        sentence: service.isForcedDown
          ? `nova-compute is forced down${since}`
          : `nova-compute is down${since}`,
        consequence: blockedText(servers),
        nextStep: service.isForcedDown
          ? 'If the host was fenced, evacuate its servers first. If it works again, remove the forced-down state.'
          : 'Check that the host is up, that it reaches the message queue, and the log of nova-compute. Then restart nova-compute.',
        command: service.isForcedDown
          ? sh`openstack compute service set --up ${shellOperands([service.host, 'nova-compute'])}`
          : sh`systemctl restart nova-compute`,
        blame: 'nova',
        evidence: [
          cloudReports(
            fleet,
            'services',
            `${service.status}, ${service.isForcedDown ? 'forced down' : service.state}, last update ${service.updatedAt ?? 'not reported'}`,
          ),
          cloudReports(
            fleet,
            'servers',
            servers.length === 0
              ? 'no server on this host'
              : `${plural(servers.length, 'server', 'servers')}: ${names}`,
          ),
          cloudReports(fleet, 'providers', `${used} allocated of its GPU providers`),
        ],
      })
    }),
}
