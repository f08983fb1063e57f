import { z } from 'zod'
import { ApiError } from '../http/api-error'
import { parseBody } from '../http/parse-body'
import { flavorBody, flavorSummary } from './flavor-body'
import { checkQuery, isAdmin, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'
import type { Flavor } from './nova-state'
import { pageOf } from './page'

const isUsable = ({ projectId }: NovaCall, flavor: Flavor): boolean =>
  flavor.isPublic || flavor.projectIds.includes(projectId)

/** Only admins may use `is_public`; others see public flavors and those shared with their project. */
const listed = (call: NovaCall): Flavor[] => {
  const { flavors } = call.state
  if (!isAdmin(call)) return flavors.filter((flavor) => isUsable(call, flavor))
  const input = call.request.query.get('is_public')
  if (input === null || /^(1|t|true|on|y|yes)$/i.test(input))
    return flavors.filter((flavor) => isUsable(call, flavor))
  if (/^none$/i.test(input)) return flavors
  if (/^(0|f|false|off|n|no)$/i.test(input)) return flavors.filter(({ isPublic }) => !isPublic)
  throw new ApiError(400, `Invalid is_public filter [${input}]`)
}

const list =
  (isDetailed: boolean): NovaHandler =>
  (call) => {
    checkQuery(call, /^(limit|marker|is_public|minRam|minDisk|sort_key|sort_dir)$/, '2.75')
    const path = isDetailed ? 'flavors/detail' : 'flavors'
    const { items, links } = pageOf(call, listed(call), { idOf: ({ id }) => id, path })
    const render = isDetailed ? flavorBody : flavorSummary
    return {
      status: 200,
      body: {
        flavors: items.map((flavor) => render(call, flavor)),
        ...(links.length === 0 ? {} : { flavors_links: links }),
      },
    }
  }

/** The flavor of the path; one that is not the caller's is not there. */
export const flavorOf = (call: NovaCall): Flavor => {
  const id = param(call, 'id')
  const flavor = call.state.flavors.find((each) => each.id === id)
  if (flavor === undefined || (!isAdmin(call) && !isUsable(call, flavor))) {
    throw new ApiError(404, `Flavor ${id} could not be found.`)
  }
  return flavor
}

const show: NovaHandler = (call) => ({ status: 200, body: { flavor: flavorBody(call, flavorOf(call)) } })

const amount = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)])

const MAX_INTEGER = 2_147_483_647
const positive = amount.pipe(z.number().min(1).max(MAX_INTEGER))

const createSchema = z.strictObject({
  flavor: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(255)
      .regex(/^(?! )[^\p{Cc}]*(?<! )$/u),
    id: z
      .union([
        z
          .string()
          .max(255)
          .regex(/^(?! )[a-zA-Z0-9. _-]+(?<! )$/),
        z.number().transform(String),
      ])
      .nullish(),
    vcpus: positive,
    ram: positive,
    disk: amount.pipe(z.number().min(0).max(MAX_INTEGER)),
    'OS-FLV-EXT-DATA:ephemeral': amount.optional(),
    swap: amount.optional(),
    rxtx_factor: z.union([z.number(), z.string()]).optional(),
    'os-flavor-access:is_public': z.boolean().optional(),
    description: z.string().nullish(),
  }),
})

const create: NovaHandler = (call) => {
  const input = parseBody(createSchema, call.request.body).flavor
  const id =
    input.id === undefined || input.id === null || input.id === 'auto' ? call.cloud.newUuid() : input.id
  if (call.state.flavors.some((flavor) => flavor.id === id)) {
    throw new ApiError(409, `Flavor with ID ${id} already exists.`)
  }
  if (call.state.flavors.some((flavor) => flavor.name === input.name)) {
    throw new ApiError(409, `Flavor with name ${input.name} already exists.`)
  }
  const flavor: Flavor = {
    id,
    name: input.name,
    vcpus: input.vcpus,
    memoryMib: input.ram,
    diskGib: input.disk,
    ephemeralGib: input['OS-FLV-EXT-DATA:ephemeral'] ?? 0,
    swapMib: input.swap ?? 0,
    isPublic: input['os-flavor-access:is_public'] ?? true,
    isDisabled: false,
    description: input.description ?? null,
    extraSpecs: {},
    projectIds: [],
  }
  call.state.flavors.push(flavor)
  return { status: 200, body: { flavor: flavorBody(call, flavor) } }
}

const updateSchema = z.object({ flavor: z.strictObject({ description: z.string().nullable() }) })

/** Only the description can be changed (2.55). */
const update: NovaHandler = (call) => {
  const flavor = flavorOf(call)
  flavor.description = parseBody(updateSchema, call.request.body).flavor.description
  return { status: 200, body: { flavor: flavorBody(call, flavor) } }
}

/** Servers keep their copy. */
const remove: NovaHandler = (call) => {
  const flavor = flavorOf(call)
  call.state.flavors = call.state.flavors.filter((each) => each !== flavor)
  return { status: 202 }
}

const MANAGE = 'os_compute_api:os-flavor-manage'
const READ = 'os_compute_api:flavors'

export const flavorRoutes: NovaRoute[] = [
  { method: 'GET', path: '/flavors', policy: READ, access: 'reader', handler: list(false) },
  { method: 'GET', path: '/flavors/detail', policy: READ, access: 'reader', handler: list(true) },
  { method: 'GET', path: '/flavors/:id', policy: READ, access: 'reader', handler: show },
  { method: 'POST', path: '/flavors', policy: `${MANAGE}:create`, access: 'admin', handler: create },
  { method: 'PUT', path: '/flavors/:id', policy: `${MANAGE}:update`, access: 'admin', handler: update },
  { method: 'DELETE', path: '/flavors/:id', policy: `${MANAGE}:delete`, access: 'admin', handler: remove },
]
