import type { Cloud } from '../cloud'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import type { HttpService } from '../http/serve-http'
import { hasRole } from '../keystone/roles'
import { UNAUTHORIZED, validToken } from '../keystone/tokens'

const error = (status: number, type: string, message: string): ApiAnswer => ({
  status,
  body: { NeutronError: { type, message, detail: '' } },
})

/** Hosts run their agents under the names that libvirt reports: Neutron does not know Nova's `host` option. */
const agentsOf = ({ nova, neutron }: Cloud) => {
  const names = new Set(nova.computes.map(({ hypervisorHostname }) => hypervisorHostname))
  const withAgent = neutron.hasHypervisorAgents ? [...names] : []
  const own = withAgent.map((host) => ({ host, agentType: 'Open vSwitch agent', isAlive: true }))
  return [...own, ...neutron.agents].map(({ host, agentType, isAlive }, index) => ({
    id: String(index),
    host,
    agent_type: agentType,
    alive: isAlive,
    admin_state_up: true,
  }))
}

const listAgents = (cloud: Cloud, { query, origin }: ApiRequest): ApiAnswer => {
  const [host, marker] = [query.get('host'), query.get('marker')]
  const found = agentsOf(cloud).filter((agent) => host === null || agent.host === host)
  const start = found.findIndex(({ id }) => id === marker) + 1
  const page = found.slice(start, start + (cloud.neutron.pageSize ?? found.length))
  const last = page.at(-1)
  const fields = query.getAll('fields')
  const agents = page.map((agent) =>
    fields.length === 0
      ? agent
      : Object.fromEntries(Object.entries(agent).filter(([name]) => fields.includes(name))),
  )
  if (last === undefined || last === found.at(-1)) return { status: 200, body: { agents } }
  const next = new URLSearchParams(query)
  next.set('marker', last.id)
  const links = [{ rel: 'next', href: `${origin}/network/v2.0/agents?${next}` }]
  return { status: 200, body: { agents, agents_links: links } }
}

/** Neutron's list of agents. No other resource of Neutron is simulated. */
export const neutronService = (cloud: Cloud): HttpService => ({
  name: 'neutron',
  prefix: '/network',
  malformed: () => error(400, 'HTTPBadRequest', 'Malformed JSON'),
  answer: (request: ApiRequest) => {
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    if (caller === null) return { status: 401, body: { error: { message: UNAUTHORIZED, code: 401 } } }
    if (request.method !== 'GET' || request.path !== '/v2.0/agents')
      return error(404, 'HTTPNotFound', 'The resource could not be found.')
    // By default Neutron lists agents to admins only (policy get_agent). Others receive an empty list.
    const isAllowed = hasRole(cloud.keystone, caller, 'admin') && !cloud.neutron.isListEmpty
    return isAllowed ? listAgents(cloud, request) : { status: 200, body: { agents: [] } }
  },
})
