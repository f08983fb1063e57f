import { ApiError } from '../http/api-error'
import { capacityOf, type Inventory, usedOf } from '../placement/placement-state'
import { checkQuery, has, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'
import { type ComputeNode, isServiceUp } from './nova-state'
import { pageOf } from './page'

const UPTIME = ' 09:14:02 up 41 days,  3:12,  0 users,  load average: 11.20, 10.84, 10.61'

const isUp = ({ cloud }: NovaCall, compute: ComputeNode): boolean =>
  isServiceUp(compute, cloud.now().getTime())

/** Totals as nova-compute counts them; gone from 2.88 on, since Placement knows better. */
const totals = (call: NovaCall, compute: ComputeNode): Record<string, unknown> => {
  const { placement } = call.cloud
  const inventories = placement.providers.get(compute.uuid)?.inventories ?? new Map<string, Inventory>()
  const used = usedOf(placement, compute.uuid)
  const total = (name: string): number => inventories.get(name)?.total ?? 0
  const servers = [...call.state.servers.values()].filter(({ host }) => host === compute.host)
  const memory = inventories.get('MEMORY_MB')
  const reserved = memory === undefined ? 0 : memory.total - capacityOf(memory)
  return {
    vcpus: total('VCPU'),
    vcpus_used: used.get('VCPU') ?? 0,
    memory_mb: total('MEMORY_MB'),
    memory_mb_used: (used.get('MEMORY_MB') ?? 0) + reserved,
    free_ram_mb: total('MEMORY_MB') - (used.get('MEMORY_MB') ?? 0) - reserved,
    local_gb: total('DISK_GB'),
    local_gb_used: used.get('DISK_GB') ?? 0,
    free_disk_gb: total('DISK_GB') - (used.get('DISK_GB') ?? 0),
    disk_available_least: total('DISK_GB') - (used.get('DISK_GB') ?? 0),
    running_vms: servers.filter(({ status }) => status === 'ACTIVE').length,
    current_workload: 0,
    cpu_info: { arch: 'x86_64', model: 'Cascadelake-Server', vendor: 'Intel', features: [], topology: {} },
  }
}

const hypervisorBody = (call: NovaCall, compute: ComputeNode, hasServers: boolean): unknown => {
  const servers = hasServers
    ? [...call.state.servers.values()].filter(({ host }) => host === compute.host)
    : []
  return {
    id: compute.uuid,
    hypervisor_hostname: compute.hypervisorHostname,
    hypervisor_type: 'QEMU',
    hypervisor_version: compute.hypervisorVersion,
    host_ip: compute.hostIp,
    state: isUp(call, compute) ? 'up' : 'down',
    status: compute.isDisabled ? 'disabled' : 'enabled',
    service: { host: compute.host, id: compute.serviceId, disabled_reason: compute.disabledReason },
    // Nova asks the host itself; one that does not answer has no uptime.
    ...(has(call, '2.88') ? { uptime: isUp(call, compute) ? UPTIME : null } : totals(call, compute)),
    ...(hasServers && (servers.length > 0 || has(call, '2.75'))
      ? { servers: servers.map(({ uuid, name }) => ({ uuid, name })) }
      : {}),
  }
}

const summaryBody = (call: NovaCall, compute: ComputeNode): unknown => ({
  id: compute.uuid,
  hypervisor_hostname: compute.hypervisorHostname,
  state: isUp(call, compute) ? 'up' : 'down',
  status: compute.isDisabled ? 'disabled' : 'enabled',
})

const needUuids = (call: NovaCall): void => {
  if (!has(call, '2.53')) throw new ApiError(404, 'The simulator knows hypervisors from 2.53 on.')
}

const wanted = (call: NovaCall): ComputeNode[] => {
  const pattern = call.request.query.get('hypervisor_hostname_pattern')
  const reachable = call.state.computes.filter(({ isCellDown }) => !isCellDown)
  if (pattern === null) return reachable
  if (call.request.query.has('limit') || call.request.query.has('marker')) {
    throw new ApiError(
      400,
      'Paging over hypervisors with the hypervisor_hostname_pattern query parameter is not supported.',
    )
  }
  const found = reachable.filter(({ hypervisorHostname }) => hypervisorHostname.includes(pattern))
  if (found.length === 0) throw new ApiError(404, `No hypervisor matching '${pattern}' could be found.`)
  return found
}

const list =
  (isDetailed: boolean): NovaHandler =>
  (call) => {
    needUuids(call)
    checkQuery(call, /^(limit|marker|hypervisor_hostname_pattern|with_servers)$/, '2.75')
    const hasServers = /^(1|t|true|on|y|yes)$/i.test(call.request.query.get('with_servers') ?? '')
    const path = isDetailed ? 'os-hypervisors/detail' : 'os-hypervisors'
    const { items, links } = pageOf(call, wanted(call), { idOf: ({ uuid }) => uuid, path })
    return {
      status: 200,
      body: {
        hypervisors: items.map((compute) =>
          isDetailed ? hypervisorBody(call, compute, hasServers) : summaryBody(call, compute),
        ),
        ...(links.length === 0 ? {} : { hypervisors_links: links }),
      },
    }
  }

const show: NovaHandler = (call) => {
  needUuids(call)
  const id = param(call, 'id')
  const compute = call.state.computes.find(({ uuid }) => uuid === id)
  if (compute === undefined) throw new ApiError(404, `Hypervisor with ID '${id}' could not be found.`)
  const hasServers = /^(1|t|true|on|y|yes)$/i.test(call.request.query.get('with_servers') ?? '')
  return { status: 200, body: { hypervisor: hypervisorBody(call, compute, hasServers) } }
}

const POLICY = 'os_compute_api:os-hypervisors'

export const hypervisorRoutes: NovaRoute[] = [
  { method: 'GET', path: '/os-hypervisors', policy: `${POLICY}:list`, access: 'admin', handler: list(false) },
  {
    method: 'GET',
    path: '/os-hypervisors/detail',
    policy: `${POLICY}:list-detail`,
    access: 'admin',
    handler: list(true),
  },
  { method: 'GET', path: '/os-hypervisors/:id', policy: `${POLICY}:show`, access: 'admin', handler: show },
]
