import { ApiError } from '../http/api-error'
import {
  checkQuery,
  has,
  type NovaCall,
  type NovaHandler,
  type NovaRoute,
  param,
  plainTimeText,
} from './nova-handler'
import type { Migration } from './nova-state'
import { pageOf } from './page'
import { serverOf } from './server-routes'

const nodeOf = ({ state }: NovaCall, host: string | null): string | null =>
  state.computes.find((compute) => compute.host === host)?.hypervisorHostname ?? host

const addressOf = ({ state }: NovaCall, host: string | null): string | null =>
  state.computes.find((compute) => compute.host === host)?.hostIp ?? null

const body = (call: NovaCall, migration: Migration): unknown => {
  const server = call.state.servers.get(migration.serverUuid)
  return {
    id: migration.id,
    ...(has(call, '2.59') ? { uuid: migration.uuid } : {}),
    instance_uuid: migration.serverUuid,
    ...(has(call, '2.23') ? { migration_type: migration.type } : {}),
    status: migration.status,
    source_compute: migration.sourceHost,
    source_node: nodeOf(call, migration.sourceHost),
    dest_compute: migration.destinationHost,
    dest_node: nodeOf(call, migration.destinationHost),
    dest_host: addressOf(call, migration.destinationHost),
    old_instance_type_id: 1,
    new_instance_type_id: 1,
    created_at: plainTimeText(migration.createdMs),
    updated_at: plainTimeText(migration.updatedMs),
    ...(has(call, '2.80') ? { user_id: server?.userId ?? null, project_id: server?.projectId ?? null } : {}),
  }
}

const KNOWN =
  /^(hidden|host|instance_uuid|source_compute|status|migration_type|limit|marker|changes-since|changes-before|user_id|project_id)$/

const list: NovaHandler = (call) => {
  checkQuery(call, KNOWN, '2.59')
  const { query } = call.request
  const tests: [name: string, read: (migration: Migration) => string[]][] = [
    ['host', ({ sourceHost, destinationHost }) => [sourceHost, destinationHost ?? '']],
    ['source_compute', ({ sourceHost }) => [sourceHost]],
    ['instance_uuid', ({ serverUuid }) => [serverUuid]],
    ['status', ({ status }) => [status]],
    ['migration_type', ({ type }) => [type]],
  ]
  const found = call.state.migrations.filter((migration) =>
    tests.every(([name, read]) => {
      const wanted = query.get(name)
      return wanted === null || read(migration).includes(wanted)
    }),
  )
  const newestFirst = [...found].sort((a, b) => b.id - a.id)
  const { items, links } = pageOf(call, newestFirst, { idOf: ({ uuid }) => uuid, path: 'os-migrations' })
  return {
    status: 200,
    body: {
      migrations: items.map((migration) => body(call, migration)),
      ...(links.length === 0 ? {} : { migrations_links: links }),
    },
  }
}

const liveBody = (call: NovaCall, migration: Migration): unknown => ({
  id: migration.id,
  uuid: migration.uuid,
  server_uuid: migration.serverUuid,
  status: migration.status,
  source_compute: migration.sourceHost,
  source_node: nodeOf(call, migration.sourceHost),
  dest_compute: migration.destinationHost,
  dest_node: nodeOf(call, migration.destinationHost),
  dest_host: addressOf(call, migration.destinationHost),
  created_at: plainTimeText(migration.createdMs),
  updated_at: plainTimeText(migration.updatedMs),
  memory_total_bytes: 8_589_934_592,
  memory_processed_bytes: 3_221_225_472,
  memory_remaining_bytes: 5_368_709_120,
  disk_total_bytes: 0,
  disk_processed_bytes: 0,
  disk_remaining_bytes: 0,
})

/** Live migrations of one server that are under way. */
const listOfServer: NovaHandler = (call) => {
  const server = serverOf(call)
  const running = call.state.migrations.filter(
    ({ serverUuid, type, status }) =>
      serverUuid === server.uuid && type === 'live-migration' && status === 'running',
  )
  return { status: 200, body: { migrations: running.map((migration) => liveBody(call, migration)) } }
}

const showOfServer: NovaHandler = (call) => {
  const server = serverOf(call)
  const id = param(call, 'migration')
  const found = call.state.migrations.find(
    (each) => each.serverUuid === server.uuid && String(each.id) === id && each.status === 'running',
  )
  if (found === undefined) {
    throw new ApiError(404, `In-progress live migration ${id} is not found for server ${server.uuid}.`)
  }
  return { status: 200, body: { migration: liveBody(call, found) } }
}

const SERVER_POLICY = 'os_compute_api:servers:migrations'

export const migrationRoutes: NovaRoute[] = [
  {
    method: 'GET',
    path: '/os-migrations',
    policy: 'os_compute_api:os-migrations:index',
    access: 'admin',
    handler: list,
  },
  {
    method: 'GET',
    path: '/servers/:id/migrations',
    policy: `${SERVER_POLICY}:index`,
    access: 'admin',
    handler: listOfServer,
  },
  {
    method: 'GET',
    path: '/servers/:id/migrations/:migration',
    policy: `${SERVER_POLICY}:show`,
    access: 'admin',
    handler: showOfServer,
  },
]
