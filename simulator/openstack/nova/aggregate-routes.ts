import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { replaceAggregates } from '../placement/change-providers'
import { has, type NovaCall, type NovaHandler, type NovaRoute, param, plainTimeText } from './nova-handler'
import type { Aggregate } from './nova-state'

const body = (call: NovaCall, aggregate: Aggregate) => ({
  id: aggregate.id,
  ...(has(call, '2.41') ? { uuid: aggregate.uuid } : {}),
  name: aggregate.name,
  availability_zone: aggregate.zone,
  hosts: aggregate.hosts,
  metadata: aggregate.metadata,
  created_at: plainTimeText(aggregate.createdMs),
  updated_at: null,
  deleted: false,
  deleted_at: null,
})

const list: NovaHandler = (call) => ({
  status: 200,
  body: { aggregates: call.state.aggregates.map((each) => body(call, each)) },
})

const aggregateOf = (call: NovaCall): Aggregate => {
  const id = param(call, 'id')
  if (!/^\d+$/.test(id)) throw new ApiError(400, `id must be an integer`)
  const aggregate = call.state.aggregates.find((each) => String(each.id) === id)
  if (aggregate === undefined) throw new ApiError(404, `Aggregate ${id} could not be found.`)
  return aggregate
}

const show: NovaHandler = (call) => ({ status: 200, body: { aggregate: body(call, aggregateOf(call)) } })

const createSchema = z.strictObject({
  aggregate: z.strictObject({ name: z.string().min(1).max(255), availability_zone: z.string().nullish() }),
})

const withZone = (zone: string | null): Record<string, string> =>
  zone === null ? {} : { availability_zone: zone }

const checkName = ({ state }: NovaCall, name: string, own?: Aggregate): void => {
  if (state.aggregates.some((each) => each !== own && each.name === name)) {
    throw new ApiError(409, `Aggregate ${name} already exists.`)
  }
}

const create: NovaHandler = (call) => {
  const input = parseBody(createSchema, call.request.body).aggregate
  checkName(call, input.name)
  const zone = input.availability_zone ?? null
  const aggregate: Aggregate = {
    id: call.state.aggregates.reduce((max, { id }) => Math.max(max, id), 0) + 1,
    uuid: call.cloud.newUuid(),
    name: input.name,
    zone,
    hosts: [],
    metadata: withZone(zone),
    createdMs: call.cloud.now().getTime(),
  }
  call.state.aggregates.push(aggregate)
  // Nova leaves hosts and metadata out of this one answer.
  const { hosts: _, metadata: __, ...created } = body(call, aggregate)
  return { status: 200, body: { aggregate: created } }
}

const updateSchema = z.strictObject({
  aggregate: z.strictObject({
    name: z.string().min(1).max(255).optional(),
    availability_zone: z.string().nullish(),
  }),
})

const update: NovaHandler = (call) => {
  const aggregate = aggregateOf(call)
  const input = parseBody(updateSchema, call.request.body).aggregate
  if (input.name !== undefined) {
    checkName(call, input.name, aggregate)
    aggregate.name = input.name
  }
  if (input.availability_zone !== undefined) {
    aggregate.zone = input.availability_zone
    aggregate.metadata = { ...aggregate.metadata, ...withZone(input.availability_zone) }
  }
  return { status: 200, body: { aggregate: body(call, aggregate) } }
}

const remove: NovaHandler = (call) => {
  const aggregate = aggregateOf(call)
  if (aggregate.hosts.length > 0) {
    throw new ApiError(400, `Cannot remove aggregate ${aggregate.id}. Reason: Host aggregate is not empty.`)
  }
  call.state.aggregates = call.state.aggregates.filter((each) => each !== aggregate)
  return { status: 200 }
}

const hostSchema = z.strictObject({ host: z.string().min(1).max(255) })

const actionSchema = z.union([
  z.strictObject({ add_host: hostSchema }),
  z.strictObject({ remove_host: hostSchema }),
  z.strictObject({
    set_metadata: z.strictObject({
      metadata: z.record(z.string().min(1).max(255), z.string().max(255).nullable()),
    }),
  }),
])

/** Nova mirrors membership to the root provider of the host; others are not changed. */
const mirror = ({ cloud }: NovaCall, host: string, change: (uuids: Set<string>) => void): void => {
  const compute = cloud.nova.computes.find((each) => each.host === host)
  const root = compute === undefined ? undefined : cloud.placement.providers.get(compute.uuid)
  if (root === undefined) return
  const aggregates = new Set(root.aggregates)
  change(aggregates)
  replaceAggregates(root, aggregates)
}

const addHost = (call: NovaCall, aggregate: Aggregate, host: string): void => {
  if (!call.state.computes.some((compute) => compute.host === host)) {
    throw new ApiError(404, `Host '${host}' is not mapped to any cell`)
  }
  if (aggregate.hosts.includes(host)) {
    throw new ApiError(409, `Aggregate ${aggregate.id} already has host ${host}.`)
  }
  aggregate.hosts = [...aggregate.hosts, host]
  mirror(call, host, (uuids) => uuids.add(aggregate.uuid))
}

const removeHost = (call: NovaCall, aggregate: Aggregate, host: string): void => {
  if (!aggregate.hosts.includes(host)) {
    throw new ApiError(404, `Cannot remove host ${host} in aggregate ${aggregate.id}`)
  }
  aggregate.hosts = aggregate.hosts.filter((each) => each !== host)
  mirror(call, host, (uuids) => uuids.delete(aggregate.uuid))
}

/** A null value removes the key. */
const setMetadata = (aggregate: Aggregate, input: Record<string, string | null>): void => {
  const next: Record<string, string> = { ...aggregate.metadata }
  for (const [key, value] of Object.entries(input)) {
    if (value === null) delete next[key]
    else next[key] = value
  }
  aggregate.metadata = next
  aggregate.zone = next.availability_zone ?? null
}

const act: NovaHandler = (call) => {
  const aggregate = aggregateOf(call)
  const input = parseBody(actionSchema, call.request.body)
  if ('add_host' in input) addHost(call, aggregate, input.add_host.host)
  else if ('remove_host' in input) removeHost(call, aggregate, input.remove_host.host)
  else setMetadata(aggregate, input.set_metadata.metadata)
  return { status: 200, body: { aggregate: body(call, aggregate) } }
}

const POLICY = 'os_compute_api:os-aggregates'
const ONE = '/os-aggregates/:id'

export const aggregateRoutes: NovaRoute[] = [
  { method: 'GET', path: '/os-aggregates', policy: `${POLICY}:index`, access: 'admin', handler: list },
  { method: 'POST', path: '/os-aggregates', policy: `${POLICY}:create`, access: 'admin', handler: create },
  { method: 'GET', path: ONE, policy: `${POLICY}:show`, access: 'admin', handler: show },
  { method: 'PUT', path: ONE, policy: `${POLICY}:update`, access: 'admin', handler: update },
  { method: 'DELETE', path: ONE, policy: `${POLICY}:delete`, access: 'admin', handler: remove },
  { method: 'POST', path: `${ONE}/action`, policy: `${POLICY}:add_host`, access: 'admin', handler: act },
]
