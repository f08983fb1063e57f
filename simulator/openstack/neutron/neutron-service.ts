import type { Cloud } from '../cloud'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import type { HttpService } from '../http/serve-http'
import type { IssuedToken } from '../keystone/keystone-state'
import { hasRole } from '../keystone/roles'
import { UNAUTHORIZED, validToken } from '../keystone/tokens'

const error = (status: number, type: string, message: string): ApiAnswer => ({
  status,
  body: { NeutronError: { type, message, detail: '' } },
})

type Item = Readonly<Record<string, unknown>> & { id: string }
type Collection = (cloud: Cloud, caller: IssuedToken, query: URLSearchParams) => Item[]

const isAdmin = ({ keystone }: Cloud, caller: IssuedToken): boolean => hasRole(keystone, caller, 'admin')

const isOwn = (caller: IssuedToken, projectId: string): boolean =>
  caller.scope.kind === 'project' && caller.scope.id === projectId

/** Hosts run their agents under the names that libvirt reports: Neutron does not know Nova's `host` option. */
const agents: Collection = (cloud, caller, query) => {
  const { nova, neutron } = cloud
  // By default Neutron lists agents to admins only (policy get_agent). Others receive an empty list.
  if (!isAdmin(cloud, caller) || neutron.isListEmpty) return []
  const names = new Set(nova.computes.map(({ hypervisorHostname }) => hypervisorHostname))
  const withAgent = neutron.hasHypervisorAgents ? [...names] : []
  const own = withAgent.map((host) => ({ host, agentType: 'Open vSwitch agent', isAlive: true }))
  const wanted = query.get('host')
  return [...own, ...neutron.agents]
    .map(({ host, agentType, isAlive }, index) => ({
      id: String(index),
      host,
      agent_type: agentType,
      alive: isAlive,
      admin_state_up: true,
    }))
    .filter(({ host }) => wanted === null || host === wanted)
}

/** A project sees its own, shared and external networks; an admin sees all. */
const networks: Collection = (cloud, caller) =>
  cloud.neutron.networks
    .filter(
      ({ projectId, isShared, isExternal }) =>
        isShared || isExternal || isOwn(caller, projectId) || isAdmin(cloud, caller),
    )
    .map(({ id, name, projectId, isShared, isExternal, subnetIds }) => ({
      id,
      name,
      tenant_id: projectId,
      project_id: projectId,
      shared: isShared,
      'router:external': isExternal,
      status: 'ACTIVE',
      admin_state_up: true,
      subnets: subnetIds,
    }))

const securityGroups: Collection = (cloud, caller) =>
  cloud.neutron.securityGroups
    .filter(({ projectId }) => isOwn(caller, projectId) || isAdmin(cloud, caller))
    .map(({ id, name, projectId }) => ({
      id,
      name,
      tenant_id: projectId,
      project_id: projectId,
      shared: false,
      description: '',
      security_group_rules: [],
    }))

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  agents,
  networks,
  'security-groups': securityGroups,
}

const listPage = (
  { neutron }: Cloud,
  { query, origin }: ApiRequest,
  { name, found }: { name: string; found: readonly Item[] },
): ApiAnswer => {
  const key = name.replaceAll('-', '_')
  const marker = query.get('marker')
  const start = found.findIndex(({ id }) => id === marker) + 1
  const page = found.slice(start, start + (neutron.pageSize ?? found.length))
  const last = page.at(-1)
  const fields = query.getAll('fields')
  const items = page.map((item) =>
    fields.length === 0
      ? item
      : Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field))),
  )
  if (last === undefined || last === found.at(-1)) return { status: 200, body: { [key]: items } }
  const next = new URLSearchParams(query)
  next.set('marker', last.id)
  const links = [{ rel: 'next', href: `${origin}/network/v2.0/${name}?${next}` }]
  return { status: 200, body: { [key]: items, [`${key}_links`]: links } }
}

/** Neutron's lists of agents, networks and security groups. No other resource of Neutron is simulated. */
export const neutronService = (cloud: Cloud): HttpService => ({
  name: 'neutron',
  prefix: '/network',
  malformed: () => error(400, 'HTTPBadRequest', 'Malformed JSON'),
  answer: (request: ApiRequest) => {
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    if (caller === null) return { status: 401, body: { error: { message: UNAUTHORIZED, code: 401 } } }
    const name = /^\/v2\.0\/([a-z-]+)$/.exec(request.path)?.[1] ?? ''
    const collection = Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name] : undefined
    if (request.method !== 'GET' || collection === undefined)
      return error(404, 'HTTPNotFound', 'The resource could not be found.')
    return listPage(cloud, request, { name, found: collection(cloud, caller, request.query) })
  },
})
