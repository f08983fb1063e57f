import { z } from 'zod'
import { finishedMigration } from '../compute/cold-migration'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { forbid, has, isAdmin, type NovaCall, type NovaHandler, type NovaRoute } from './nova-handler'
import type { Server } from './nova-state'
import { VM_STATES } from './server-body'
import { serverOf } from './server-routes'

type Action = {
  policy: string
  isForAdmin: boolean
  states: string[]
  act: (call: NovaCall, server: Server) => number
}

const bodyOf = <Schema extends z.ZodType>(call: NovaCall, schema: Schema): z.infer<Schema> =>
  parseBody(schema, call.request.body)

/** A host that Nova does not know is a bad request. */
const knownHost = (call: NovaCall, host: string | null): string | null => {
  if (host !== null && !call.state.computes.some((compute) => compute.host === host))
    throw new ApiError(400, `Compute host ${host} could not be found.`)
  return host
}

const liveSchema = (call: NovaCall) =>
  z.strictObject({
    'os-migrateLive': z.strictObject({
      host: z.string().nullable(),
      block_migration: has(call, '2.25')
        ? z.union([z.boolean(), z.literal('auto'), z.enum(['True', 'False', 'true', 'false'])])
        : z.union([z.boolean(), z.enum(['True', 'False', 'true', 'false'])]),
      ...(has(call, '2.25') ? {} : { disk_over_commit: z.union([z.boolean(), z.string()]) }),
      ...(has(call, '2.30') && !has(call, '2.68') ? { force: z.boolean().optional() } : {}),
    }),
  })

const moveLive = (call: NovaCall, server: Server): number => {
  const { host } = bodyOf(call, liveSchema(call))['os-migrateLive']
  if (knownHost(call, host) !== null && host === server.host)
    throw new ApiError(400, `Unable to migrate instance (${server.uuid}) to current host (${host}).`)
  call.operations.moveLive(server, host)
  return 202
}

const coldSchema = z.strictObject({
  migrate: z.strictObject({ host: z.string().nullish() }).nullable(),
})

const moveCold = (call: NovaCall, server: Server): number => {
  const input = has(call, '2.56')
    ? bodyOf(call, coldSchema).migrate
    : bodyOf(call, z.object({ migrate: z.null() })).migrate
  const host = knownHost(call, input?.host ?? null)
  if (host !== null && host === server.host)
    throw new ApiError(400, `Cannot migrate to the host (${host}) where the server exists.`)
  call.operations.moveCold(server, host)
  return 202
}

const ofMigration =
  (act: 'confirm' | 'revert', status: number) =>
  (call: NovaCall, server: Server): number => {
    if (finishedMigration(call, server) === undefined)
      throw new ApiError(400, 'Instance has not been resized.')
    call.operations[act](server)
    return status
  }

const power =
  (act: 'start' | 'stop') =>
  (call: NovaCall, server: Server): number => {
    call.operations[act](server)
    return 202
  }

const POLICY = 'os_compute_api'

const ACTIONS: Record<string, Action> = {
  'os-start': {
    policy: `${POLICY}:servers:start`,
    isForAdmin: false,
    states: ['stopped'],
    act: power('start'),
  },
  'os-stop': {
    policy: `${POLICY}:servers:stop`,
    isForAdmin: false,
    states: ['active', 'error'],
    act: power('stop'),
  },
  'os-migrateLive': {
    policy: `${POLICY}:os-migrate-server:migrate_live`,
    isForAdmin: true,
    states: ['active', 'paused'],
    act: moveLive,
  },
  migrate: {
    policy: `${POLICY}:os-migrate-server:migrate`,
    isForAdmin: true,
    states: ['active', 'stopped'],
    act: moveCold,
  },
  confirmResize: {
    policy: `${POLICY}:servers:confirm_resize`,
    isForAdmin: false,
    states: ['resized'],
    act: ofMigration('confirm', 204),
  },
  revertResize: {
    policy: `${POLICY}:servers:revert_resize`,
    isForAdmin: false,
    states: ['resized'],
    act: ofMigration('revert', 202),
  },
}

const conflict = (action: string, { uuid }: Server, what: string, state: string): ApiError =>
  new ApiError(409, `Cannot '${action}' instance ${uuid} while it is in ${what} ${state}`)

/** An action of a server: one key that names it. */
const act: NovaHandler = (call) => {
  const server = serverOf(call)
  const names = Object.keys(bodyOf(call, z.record(z.string(), z.unknown())))
  const [name = ''] = names
  if (names.length !== 1) throw new ApiError(400, 'There is no such action: None')
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action === undefined) throw new ApiError(400, `There is no such action: ${name}`)
  if (action.isForAdmin && !isAdmin(call)) forbid(action.policy)
  const state = VM_STATES[server.status]
  if (!action.states.includes(state)) throw conflict(name, server, 'vm_state', state)
  if (server.taskState !== null) throw conflict(name, server, 'task_state', server.taskState)
  return { status: action.act(call, server) }
}

const remove: NovaHandler = (call) => {
  const server = serverOf(call)
  if (server.taskState !== 'deleting') call.operations.remove(server)
  return { status: 204 }
}

export const serverActionRoutes: NovaRoute[] = [
  {
    method: 'POST',
    path: '/servers/:id/action',
    policy: `${POLICY}:servers:action`,
    access: 'reader',
    handler: act,
  },
  {
    method: 'DELETE',
    path: '/servers/:id',
    policy: `${POLICY}:servers:delete`,
    access: 'reader',
    handler: remove,
  },
]
