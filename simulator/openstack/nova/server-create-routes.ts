import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { enforceLimits } from './enforce-limits'
import { checkImage, checkKeyPair, checkNetwork, checkSecurityGroup } from './new-server-checks'
import {
  forbid,
  has,
  isAdmin,
  type NovaCall,
  type NovaHandler,
  type NovaRoute,
  novaUrl,
} from './nova-handler'
import type { Flavor, Server } from './nova-state'

const networkSchema = z.looseObject({ uuid: z.string().optional() })

const bodySchema = (call: NovaCall) =>
  z.strictObject({
    server: z.strictObject({
      name: z.string().trim().min(1).max(255),
      flavorRef: z.union([z.string(), z.number().transform(String)]),
      imageRef: z.string().optional(),
      networks: has(call, '2.37')
        ? z.union([z.array(networkSchema), z.enum(['none', 'auto'])])
        : z.array(networkSchema).optional(),
      key_name: z.string().min(1).max(255).optional(),
      security_groups: z.array(z.strictObject({ name: z.string() })).optional(),
      availability_zone: z.string().min(1).optional(),
      metadata: z.record(z.string(), z.string()).optional(),
      min_count: z.union([z.literal(1), z.literal('1')]).optional(),
      max_count: z.union([z.literal(1), z.literal('1')]).optional(),
      ...(has(call, '2.19') ? { description: z.string().nullish() } : {}),
      ...(has(call, '2.74')
        ? { host: z.string().optional(), hypervisor_hostname: z.string().optional() }
        : {}),
    }),
  })

type ServerInput = z.infer<ReturnType<typeof bodySchema>>['server']

const networksOf = ({ networks }: ServerInput): string[] =>
  Array.isArray(networks) ? networks.flatMap(({ uuid }) => uuid ?? []) : []

/** By name or end of the address, as `flavorRef` may be either. */
const flavorOf = (call: NovaCall, ref: string): Flavor => {
  const id = ref.slice(ref.lastIndexOf('/') + 1)
  const flavor = call.state.flavors.find((each) => each.id === id)
  if (flavor === undefined) throw new ApiError(400, `Flavor ${id} could not be found.`)
  return flavor
}

const zoneHost = (call: NovaCall, text: string | undefined): string | null => {
  if (text === undefined) return null
  const [zone = '', host] = text.split(':')
  if (!call.state.computes.some((compute) => compute.zone === zone))
    throw new ApiError(400, 'The requested availability zone is not available')
  if (host === undefined || host === '') return null
  if (!isAdmin(call)) forbid('os_compute_api:servers:create:forced_host')
  return host
}

/** The host that is requested by `host`, `hypervisor_hostname` (2.74) or in the availability zone. */
const wantedHost = (call: NovaCall, input: ServerInput): string | null => {
  const forced = zoneHost(call, input.availability_zone)
  const requested = 'host' in input ? input.host : undefined
  const node = 'hypervisor_hostname' in input ? input.hypervisor_hostname : undefined
  if (requested === undefined && node === undefined) return forced
  if (!isAdmin(call)) forbid('compute:servers:create:requested_destination')
  const found = call.state.computes.find(
    (compute) =>
      (requested === undefined || compute.host === requested) &&
      (node === undefined || compute.hypervisorHostname === node),
  )
  if (found === undefined) throw new ApiError(400, `Compute host ${requested ?? node} could not be found.`)
  return found.host
}

/** nova/pci/request.py _translate_alias_to_requests; a flavor itself may name what it likes. */
const checkAliases = (call: NovaCall, { extraSpecs }: Flavor): void => {
  const text = extraSpecs['pci_passthrough:alias']
  if (text === undefined) return
  const known = call.operations.apiAliases()
  for (const [name = ''] of text.split(',').map((part) => part.split(':')))
    if (!known.has(name.trim())) throw new ApiError(400, `PCI alias ${name.trim()} is not defined`)
}

const newServer = (call: NovaCall, input: ServerInput, flavor: Flavor): Server => {
  const nowMs = call.cloud.now().getTime()
  return {
    uuid: call.cloud.newUuid(),
    name: input.name,
    projectId: call.projectId,
    userId: call.caller.userId,
    status: 'BUILD',
    taskState: 'scheduling',
    host: null,
    hypervisorHostname: null,
    instanceName: call.operations.nextInstanceName(),
    flavor: { ...flavor, extraSpecs: { ...flavor.extraSpecs } },
    fault: null,
    metadata: input.metadata ?? {},
    keyName: input.key_name ?? null,
    networkIds: networksOf(input),
    securityGroups: (input.security_groups ?? []).map(({ name }) => name),
    isByApi: true,
    createdMs: nowMs,
    updatedMs: nowMs,
  }
}

const create: NovaHandler = (call) => {
  const input = parseBody(bodySchema(call), call.request.body).server
  const flavor = flavorOf(call, input.flavorRef)
  checkImage(call, input.imageRef, flavor)
  checkAliases(call, flavor)
  checkKeyPair(call, input.key_name)
  for (const { name } of input.security_groups ?? []) checkSecurityGroup(call, name)
  for (const uuid of networksOf(input)) checkNetwork(call, uuid)
  enforceLimits(call.cloud, { projectId: call.projectId, flavor })
  const host = wantedHost(call, input)
  const server = newServer(call, input, flavor)
  call.state.servers.set(server.uuid, server)
  call.operations.boot(server, host)
  return {
    status: 202,
    headers: { location: novaUrl(call, `servers/${server.uuid}`) },
    body: {
      server: {
        id: server.uuid,
        links: [{ rel: 'self', href: novaUrl(call, `servers/${server.uuid}`) }],
        'OS-DCF:diskConfig': 'MANUAL',
        adminPass: 'X5kq8vGpLw2m',
        security_groups: input.security_groups ?? [{ name: 'default' }],
      },
    },
  }
}

export const serverCreateRoutes: NovaRoute[] = [
  {
    method: 'POST',
    path: '/servers',
    policy: 'os_compute_api:servers:create',
    access: 'member',
    handler: create,
  },
]
