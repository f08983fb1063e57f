import { ApiError } from '../http/api-error'
import { collection } from './collection'
import {
  collectionLinks,
  isCloudAdmin,
  isSystemReader,
  type KeystoneCall,
  type KeystoneHandler,
  type KeystoneRoute,
  needSystemReader,
  param,
  signedIn,
} from './keystone-handler'
import { domainBody, endpointBody, projectBody, serviceBody, userBody } from './resource-bodies'
import { roleIdsOn } from './roles'

const yes = (text: string): boolean => !/^(0|false)$/i.test(text)

const listProjects: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_projects')
  const { query } = call.request
  const [name, domain, enabled] = [query.get('name'), query.get('domain_id'), query.get('enabled')]
  const projects = call.cloud.keystone.projects.filter(
    (project) =>
      (name === null || project.name === name) &&
      (domain === null || project.domainId === domain) &&
      (enabled === null || project.isEnabled === yes(enabled)),
  )
  return collection(call, {
    key: 'projects',
    rows: projects,
    bodyOf: (each) => projectBody(call, each),
    idOf: ({ id }) => id,
    isPaged: true,
  })
}

/** One's own project may be read by everybody in it. */
const showProject: KeystoneHandler = (call) => {
  const id = param(call, 'id')
  const { scope } = signedIn(call)
  const isOwn = scope.kind === 'project' && scope.id === id
  if (!isOwn) needSystemReader(call, 'identity:get_project')
  const project = call.cloud.keystone.projects.find((each) => each.id === id)
  if (project === undefined) throw new ApiError(404, `Could not find project: ${id}.`)
  return { status: 200, body: { project: projectBody(call, project) } }
}

const listDomains: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_domains')
  const name = call.request.query.get('name')
  const domains = call.cloud.keystone.domains.filter((domain) => name === null || domain.name === name)
  return collection(call, {
    key: 'domains',
    rows: domains,
    bodyOf: (each) => domainBody(call, each),
    idOf: ({ id }) => id,
    isPaged: true,
  })
}

const listUsers: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_users')
  const { query } = call.request
  const [name, domain] = [query.get('name'), query.get('domain_id')]
  const users = call.cloud.keystone.users.filter(
    (user) => (name === null || user.name === name) && (domain === null || user.domainId === domain),
  )
  return collection(call, {
    key: 'users',
    rows: users,
    bodyOf: (each) => userBody(call, each),
    idOf: ({ id }) => id,
    isPaged: true,
  })
}

const listRoles: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_roles')
  const name = call.request.query.get('name')
  const roles = call.cloud.keystone.roles.filter((role) => name === null || role.name === name)
  return collection(call, { key: 'roles', rows: roles, bodyOf: (each) => each, idOf: ({ id }) => id })
}

const listRegions: KeystoneHandler = (call) => {
  signedIn(call)
  return collection(call, {
    key: 'regions',
    rows: call.cloud.keystone.regions,
    bodyOf: (id) => ({
      id,
      description: '',
      parent_region_id: null,
      links: { self: `${call.request.origin}/identity/v3/regions/${id}` },
    }),
    idOf: (id) => id,
  })
}

const listServices: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_services')
  const { query } = call.request
  const [type, name] = [query.get('type'), query.get('name')]
  const services = call.cloud.keystone.services.filter(
    (service) => (type === null || service.type === type) && (name === null || service.name === name),
  )
  return collection(call, {
    key: 'services',
    rows: services,
    bodyOf: (each) => serviceBody(call, each),
    idOf: ({ id }) => id,
  })
}

const listEndpoints: KeystoneHandler = (call) => {
  needSystemReader(call, 'identity:list_endpoints')
  const { query } = call.request
  const [service, kind, region] = [query.get('service_id'), query.get('interface'), query.get('region_id')]
  const endpoints = call.cloud.keystone.endpoints.filter(
    (endpoint) =>
      (service === null || endpoint.serviceId === service) &&
      (kind === null || endpoint.interface === kind) &&
      (region === null || endpoint.regionId === region),
  )
  return collection(call, {
    key: 'endpoints',
    rows: endpoints,
    bodyOf: (each) => endpointBody(call, each),
    idOf: ({ id }) => id,
  })
}

const nameOf = (rows: { id: string; name: string }[], id: string): string =>
  rows.find((row) => row.id === id)?.name ?? id

const assignmentBody = (
  { cloud: { keystone } }: KeystoneCall,
  { userId, roleId, target }: (typeof keystone.assignments)[number],
  hasNames: boolean,
): unknown => {
  const ref = (rows: { id: string; name: string }[], id: string): unknown =>
    hasNames ? { id, name: nameOf(rows, id) } : { id }
  return {
    role: ref(keystone.roles, roleId),
    user: ref(keystone.users, userId),
    scope:
      target.kind === 'system'
        ? { system: { all: true } }
        : target.kind === 'project'
          ? { project: ref(keystone.projects, target.id) }
          : { domain: ref(keystone.domains, target.id) },
    links: {},
  }
}

/** With the roles that a role implies, each as an assignment. */
const effectiveAssignments = ({ cloud: { keystone } }: KeystoneCall): typeof keystone.assignments => {
  const targets = new Map(
    keystone.assignments.map((row) => [`${row.userId} ${JSON.stringify(row.target)}`, row]),
  )
  return [...targets.values()].flatMap(({ userId, target }) =>
    roleIdsOn(keystone, userId, target).map((roleId) => ({ userId, roleId, target })),
  )
}

const listAssignments: KeystoneHandler = (call) => {
  signedIn(call)
  const { query } = call.request
  const [user, project] = [query.get('user.id'), query.get('scope.project.id')]
  if (!isCloudAdmin(call) && !isSystemReader(call)) {
    throw new ApiError(
      403,
      'You are not authorized to perform the requested action: identity:list_role_assignments.',
    )
  }
  const effective = query.get('effective')
  const isEffective = effective !== null && yes(effective)
  const isSystem = query.has('scope.system')
  const rows = (isEffective ? effectiveAssignments(call) : call.cloud.keystone.assignments).filter(
    (row) =>
      (user === null || row.userId === user) &&
      (project === null || (row.target.kind === 'project' && row.target.id === project)) &&
      (!isSystem || row.target.kind === 'system'),
  )
  const names = query.get('include_names')
  const hasNames = names !== null && yes(names)
  return {
    status: 200,
    body: {
      role_assignments: rows.map((row) => assignmentBody(call, row, hasNames)),
      links: collectionLinks(call),
    },
  }
}

export const identityRoutes: KeystoneRoute[] = [
  { method: 'GET', path: '/v3/projects', handler: listProjects },
  { method: 'GET', path: '/v3/projects/:id', handler: showProject },
  { method: 'GET', path: '/v3/domains', handler: listDomains },
  { method: 'GET', path: '/v3/users', handler: listUsers },
  { method: 'GET', path: '/v3/roles', handler: listRoles },
  { method: 'GET', path: '/v3/regions', handler: listRegions },
  { method: 'GET', path: '/v3/services', handler: listServices },
  { method: 'GET', path: '/v3/endpoints', handler: listEndpoints },
  { method: 'GET', path: '/v3/role_assignments', handler: listAssignments },
]
