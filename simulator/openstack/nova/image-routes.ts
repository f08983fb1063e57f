import { ApiError } from '../http/api-error'
import { has, type NovaHandler, type NovaRoute, novaUrl } from './nova-handler'
import { IMAGE_ID } from './server-body'

/** Glance's images by way of Nova, up to 2.35. */
const list: NovaHandler = (call) => {
  if (has(call, '2.36')) throw new ApiError(404, 'The resource could not be found.')
  const links = [{ rel: 'self', href: novaUrl(call, `images/${IMAGE_ID}`) }]
  return { status: 200, body: { images: [{ id: IMAGE_ID, name: 'ubuntu-24.04', links }] } }
}

export const imageRoutes: NovaRoute[] = [
  { method: 'GET', path: '/images', policy: 'os_compute_api:images', access: 'reader', handler: list },
]
