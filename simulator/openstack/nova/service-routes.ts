import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { replaceTraits } from '../placement/change-providers'
import {
  checkQuery,
  has,
  type NovaCall,
  type NovaHandler,
  type NovaRoute,
  param,
  plainTimeText,
} from './nova-handler'
import { type ComputeNode, isServiceUp, SERVICE_DOWN_MS } from './nova-state'

const REPORT_MS = 4000

/** A living service reports every 10 s, and at its start. */
const seenMsOf = (compute: ComputeNode, nowMs: number): number => {
  if (compute.stoppedMs !== null) return compute.stoppedMs
  if (compute.isDown) return Math.min(compute.lastSeenMs, nowMs - SERVICE_DOWN_MS)
  return Math.max(compute.startedMs, nowMs - REPORT_MS)
}

const serviceBody = (call: NovaCall, compute: ComputeNode): unknown => {
  if (compute.isCellDown) {
    // Older versions leave services of a cell out that can't be reached.
    return { binary: 'nova-compute', host: compute.host, status: 'UNKNOWN' }
  }
  const nowMs = call.cloud.now().getTime()
  return {
    id: has(call, '2.53') ? compute.serviceId : call.state.computes.indexOf(compute) + 10,
    binary: 'nova-compute',
    host: compute.host,
    zone: compute.zone,
    status: compute.isDisabled ? 'disabled' : 'enabled',
    state: isServiceUp(compute, nowMs) ? 'up' : 'down',
    updated_at: plainTimeText(seenMsOf(compute, nowMs)),
    disabled_reason: compute.disabledReason,
    ...(has(call, '2.11') ? { forced_down: compute.isForcedDown } : {}),
  }
}

const CONTROL_HOST = 'ctl-01'

/** nova-scheduler and nova-conductor, which every cloud has too. */
const controlBodies = (call: NovaCall): { binary: string; host: string; body: unknown }[] =>
  ['nova-scheduler', 'nova-conductor'].map((binary, index) => ({
    binary,
    host: CONTROL_HOST,
    body: {
      id: has(call, '2.53') ? `5d1c0c7a-0000-4000-8000-00000000000${index}` : index + 1,
      binary,
      host: CONTROL_HOST,
      zone: 'internal',
      status: 'enabled',
      state: 'up',
      updated_at: plainTimeText(call.cloud.now().getTime() - 3000),
      disabled_reason: null,
      ...(has(call, '2.11') ? { forced_down: false } : {}),
    },
  }))

const list: NovaHandler = (call) => {
  checkQuery(call, /^(binary|host)$/, '2.75')
  const { query } = call.request
  const [binary, host] = [query.get('binary'), query.get('host')]
  const computes = call.state.computes
    .filter((compute) => !compute.isCellDown || has(call, '2.69'))
    .map((compute) => ({ binary: 'nova-compute', host: compute.host, body: serviceBody(call, compute) }))
  const services = [...controlBodies(call), ...computes].filter(
    (each) => (binary === null || each.binary === binary) && (host === null || each.host === host),
  )
  return { status: 200, body: { services: services.map(({ body }) => body) } }
}

const updateSchema = z.strictObject({
  status: z.enum(['enabled', 'disabled']).optional(),
  disabled_reason: z.string().min(1).max(255).optional(),
  forced_down: z.boolean().optional(),
})

const serviceOf = (call: NovaCall): ComputeNode => {
  const id = param(call, 'id')
  const compute = call.state.computes.find((each) => each.serviceId === id)
  if (compute === undefined) throw new ApiError(404, `Service ${id} could not be found.`)
  return compute
}

/** A disabled service's root provider gets a trait that the scheduler forbids. */
const notifyPlacement = ({ cloud }: NovaCall, { uuid, isDisabled }: ComputeNode): void => {
  const root = cloud.placement.providers.get(uuid)
  if (root === undefined) return
  const traits = new Set(root.traits)
  if (isDisabled) traits.add('COMPUTE_STATUS_DISABLED')
  else traits.delete('COMPUTE_STATUS_DISABLED')
  replaceTraits(root, traits)
}

/** By uuid from 2.53 on. */
const update: NovaHandler = (call) => {
  if (!has(call, '2.53')) throw new ApiError(404, 'The resource could not be found.')
  const input = parseBody(updateSchema, call.request.body)
  const { status, disabled_reason: reason, forced_down: isForcedDown } = input
  if (status === undefined && isForcedDown === undefined) {
    throw new ApiError(
      400,
      "No updates were requested. Fields 'status' or 'forced_down' should be specified.",
    )
  }
  if (reason !== undefined && status !== 'disabled') {
    throw new ApiError(400, "Specifying disabled_reason when status is not 'disabled' is invalid.")
  }
  const compute = serviceOf(call)
  if (status !== undefined) {
    compute.isDisabled = status === 'disabled'
    compute.disabledReason = status === 'disabled' ? (reason ?? null) : null
  }
  if (isForcedDown !== undefined) compute.isForcedDown = isForcedDown
  notifyPlacement(call, compute)
  return { status: 200, body: { service: serviceBody(call, compute) } }
}

const remove: NovaHandler = (call) => {
  const compute = serviceOf(call)
  if ([...call.state.servers.values()].some(({ host }) => host === compute.host)) {
    throw new ApiError(
      409,
      'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.',
    )
  }
  call.state.computes = call.state.computes.filter((each) => each !== compute)
  return { status: 204 }
}

const POLICY = 'os_compute_api:os-services'

export const serviceRoutes: NovaRoute[] = [
  { method: 'GET', path: '/os-services', policy: `${POLICY}:list`, access: 'admin', handler: list },
  { method: 'PUT', path: '/os-services/:id', policy: `${POLICY}:update`, access: 'admin', handler: update },
  {
    method: 'DELETE',
    path: '/os-services/:id',
    policy: `${POLICY}:delete`,
    access: 'admin',
    handler: remove,
  },
]
