import { isImageFor } from '../glance/glance-state'
import { ApiError } from '../http/api-error'
import { has, isAdmin, type NovaHandler, type NovaRoute, novaUrl } from './nova-handler'

/** Glance's images by way of Nova, up to 2.35. */
const list: NovaHandler = (call) => {
  if (has(call, '2.36')) throw new ApiError(404, 'The resource could not be found.')
  const images = call.cloud.glance.images.filter(
    (image) => isAdmin(call) || isImageFor(image, call.projectId),
  )
  return {
    status: 200,
    body: {
      images: images.map(({ id, name }) => ({
        id,
        name,
        links: [{ rel: 'self', href: novaUrl(call, `images/${id}`) }],
      })),
    },
  }
}

export const imageRoutes: NovaRoute[] = [
  { method: 'GET', path: '/images', policy: 'os_compute_api:images', access: 'reader', handler: list },
]
