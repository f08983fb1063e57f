import type { Cloud } from '../cloud'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import type { HttpService } from '../http/serve-http'
import { hasRole } from '../keystone/roles'
import { UNAUTHORIZED, validToken } from '../keystone/tokens'

const error = (status: number, type: string, message: string): ApiAnswer => ({
  status,
  body: { NeutronError: { type, message, detail: '' } },
})

/** Open vSwitch agents of all hosts, under the names that libvirt reports: Neutron does not know Nova's `host` option. */
const agentsOf = ({ nova, neutron }: Cloud) => {
  const names = nova.computes.map(({ hypervisorHostname }) => hypervisorHostname)
  return [...new Set([...names, ...neutron.agentHosts])].map((host) => ({
    host,
    agent_type: 'Open vSwitch agent',
    binary: 'neutron-openvswitch-agent',
    alive: true,
    admin_state_up: true,
  }))
}

/** Neutron's list of agents; nothing else of Neutron is read. */
export const neutronService = (cloud: Cloud): HttpService => ({
  name: 'neutron',
  prefix: '/network',
  malformed: () => error(400, 'HTTPBadRequest', 'Malformed JSON'),
  answer: (request: ApiRequest) => {
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    if (caller === null) return { status: 401, body: { error: { message: UNAUTHORIZED, code: 401 } } }
    if (request.method !== 'GET' || request.path !== '/v2.0/agents')
      return error(404, 'HTTPNotFound', 'The resource could not be found.')
    // Neutron's default policy get_agent: admins and readers; others get an empty list.
    const host = request.query.get('host')
    const maySee = hasRole(cloud.keystone, caller, 'admin') && !cloud.neutron.isListEmpty
    const agents = maySee ? agentsOf(cloud) : []
    return { status: 200, body: { agents: agents.filter((agent) => host === null || agent.host === host) } }
  },
})
