import type { Cloud } from '../cloud'
import { type ApiAnswer, type ApiRequest, headerOf } from '../http/api-request'
import type { HttpService } from '../http/serve-http'
import type { IssuedToken } from '../keystone/keystone-state'
import { hasRole } from '../keystone/roles'
import { UNAUTHORIZED, validToken } from '../keystone/tokens'
import { type Image, isImageFor } from './glance-state'

/** Glance's errors are pages. */
const page = (status: number, title: string, text: string): ApiAnswer => ({
  status,
  html: `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1>${text}</body></html>`,
})

const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

const imageBody = (image: Image): unknown => ({
  id: image.id,
  name: image.name,
  status: image.status,
  visibility: image.visibility,
  owner: image.ownerId,
  size: image.sizeBytes,
  min_disk: image.minDiskGib,
  min_ram: image.minMemoryMib,
  disk_format: 'qcow2',
  container_format: 'bare',
  protected: false,
  os_hidden: false,
  created_at: timeText(image.createdMs),
  updated_at: timeText(image.createdMs),
  self: `/v2/images/${image.id}`,
  file: `/v2/images/${image.id}/file`,
  schema: '/v2/schemas/image',
})

/** `limit_param_default`. */
const DEFAULT_LIMIT = 25

/** Newest first, as by default; the only other order here is by name. */
const sorted = (images: readonly Image[], sort: string | null): Image[] => {
  const byAge = (a: Image, b: Image) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1)
  return images.toSorted(sort === 'name:asc' ? (a, b) => (a.name < b.name ? -1 : 1) : byAge)
}

const list = ({ glance, keystone }: Cloud, caller: IssuedToken, { query }: ApiRequest): ApiAnswer => {
  const projectId = caller.scope.kind === 'project' ? caller.scope.id : ''
  const isAdmin = hasRole(keystone, caller, 'admin')
  const [status, visibility, marker] = ['status', 'visibility', 'marker'].map((name) => query.get(name))
  const isListed = (image: Image): boolean =>
    (isAdmin || isImageFor(image, projectId)) &&
    (status === null || image.status === status) &&
    (visibility === null
      ? image.visibility !== 'community' || image.ownerId === projectId
      : image.visibility === visibility)
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT)
  if (!/^\d+$/.test(limit)) return page(400, 'Bad Request', 'limit param must be an integer')
  const images = sorted(glance.images.filter(isListed), query.get('sort'))
  const start = images.findIndex(({ id }) => id === marker) + 1
  if (marker !== null && start === 0) return page(400, 'Bad Request', `Image ${marker} could not be found.`)
  const shown = images.slice(start, start + Math.min(Number(limit), glance.maxLimit))
  const last = shown.at(-1)
  const next = new URLSearchParams(query)
  next.set('marker', last?.id ?? '')
  return {
    status: 200,
    body: {
      images: shown.map(imageBody),
      first: '/v2/images',
      schema: '/v2/schemas/images',
      ...(last === undefined || last === images.at(-1) ? {} : { next: `/v2/images?${next}` }),
    },
  }
}

const VERSION = { id: 'v2.15', status: 'CURRENT' }

/** Glance's list of images under `/image`. */
export const glanceService = (cloud: Cloud): HttpService => ({
  name: 'glance',
  prefix: '/image',
  malformed: () => page(400, 'Bad Request', 'Malformed JSON in request body.'),
  answer: (request: ApiRequest) => {
    if (request.method === 'GET' && request.path === '/')
      return { status: 300, body: { versions: [VERSION] } }
    const caller = validToken(cloud, headerOf(request, 'x-auth-token'))
    if (caller === null) return { status: 401, body: { error: { message: UNAUTHORIZED, code: 401 } } }
    return request.method === 'GET' && request.path === '/v2/images'
      ? list(cloud, caller, request)
      : page(404, 'Not Found', 'The resource could not be found.')
  },
})
