import { ApiError } from '../http/api-error'
import { forbid, isAdmin, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'
import type { Server } from './nova-state'
import { pageOf } from './page'
import { serverBody, serverSummary } from './server-body'

const isYes = (text: string | null): boolean => text !== null && /^(1|t|true|on|y|yes)$/i.test(text)

/** Columns by which an admin may filter; everybody else's use of them is silently left out. */
const ADMIN_FILTERS: Record<string, (server: Server) => string | null> = {
  host: (server) => server.host,
  node: (server) => server.hypervisorHostname,
  project_id: (server) => server.projectId,
  tenant_id: (server) => server.projectId,
  user_id: (server) => server.userId,
}

const wantedBy = (call: NovaCall): ((server: Server) => boolean) => {
  const { query } = call.request
  const tests: ((server: Server) => boolean)[] = []
  for (const [name, read] of Object.entries(ADMIN_FILTERS)) {
    const wanted = query.get(name)
    if (wanted !== null && isAdmin(call)) tests.push((server) => read(server) === wanted)
  }
  const uuids = query.getAll('uuid')
  if (uuids.length > 0) tests.push((server) => uuids.includes(server.uuid))
  const name = query.get('name')
  if (name !== null) {
    const pattern = new RegExp(name)
    tests.push((server) => pattern.test(server.name))
  }
  const statuses = query.getAll('status').map((text) => text.toUpperCase())
  if (statuses.length > 0) tests.push((server) => statuses.includes(server.status))
  const since = query.get('changes-since')
  if (since !== null) {
    const sinceMs = Date.parse(since)
    if (Number.isNaN(sinceMs))
      throw new ApiError(
        400,
        `Invalid input for query parameters changes-since. Value: ${since}. '${since}' is not a 'date-time'`,
      )
    tests.push((server) => server.updatedMs >= sinceMs)
  }
  return (server) => tests.every((test) => test(server))
}

const listed = (call: NovaCall, action: string): Server[] => {
  const isAll = isYes(call.request.query.get('all_tenants'))
  if (isAll && !isAdmin(call)) forbid(`os_compute_api:servers:${action}:get_all_tenants`)
  const isWanted = wantedBy(call)
  const { servers, deletedServers } = call.state
  const isSince = call.request.query.has('changes-since')
  return [...servers.values(), ...(isSince ? deletedServers.values() : [])]
    .filter((server) => (isAll || server.projectId === call.projectId) && isWanted(server))
    .sort((a, b) => b.createdMs - a.createdMs || (a.uuid < b.uuid ? 1 : -1))
}

const list =
  (action: 'index' | 'detail'): NovaHandler =>
  (call) => {
    const path = action === 'detail' ? 'servers/detail' : 'servers'
    const { items, links } = pageOf(call, listed(call, action), { idOf: ({ uuid }) => uuid, path })
    const render = action === 'detail' ? serverBody : serverSummary
    return {
      status: 200,
      body: {
        servers: items.map((server) => render(call, server)),
        ...(links.length === 0 ? {} : { servers_links: links }),
      },
    }
  }

/** The server of the path; another project's is not there for who is no admin. */
export const serverOf = (call: NovaCall): Server => {
  const uuid = param(call, 'id')
  const server = call.state.servers.get(uuid)
  if (server === undefined || (server.projectId !== call.projectId && !isAdmin(call))) {
    throw new ApiError(404, `Instance ${uuid} could not be found.`)
  }
  return server
}

const show: NovaHandler = (call) => ({
  status: 200,
  body: { server: { ...serverBody(call, serverOf(call)), server_groups: [] } },
})

export const serverRoutes: NovaRoute[] = [
  {
    method: 'GET',
    path: '/servers',
    policy: 'os_compute_api:servers:index',
    access: 'reader',
    handler: list('index'),
  },
  {
    method: 'GET',
    path: '/servers/detail',
    policy: 'os_compute_api:servers:detail',
    access: 'reader',
    handler: list('detail'),
  },
  {
    method: 'GET',
    path: '/servers/:id',
    policy: 'os_compute_api:servers:show',
    access: 'reader',
    handler: show,
  },
]
