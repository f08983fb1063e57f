import * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import { parseAnswer } from '../parse-answer'
import type { OpenStackSession } from '../session/types'

/** Glance leaves out `min_disk` and the like of no image, but a store may report a size of null. */
export const imagesSchema = z.object({
  images: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullish(),
      status: z.string(),
      owner: z.string().nullish(),
      size: z.number().nullish(),
      min_disk: z.number().nullish(),
      min_ram: z.number().nullish(),
    }),
  ),
  next: z.string().nullish(),
})

export type Image = {
  id: string
  /** The id, if the image has no name. */
  name: string
  /** Project; null: not reported. */
  ownerId: string | null
  /** Null: not reported. */
  sizeBytes: number | null
  /** What a flavor needs at least; 0: no minimum. */
  minDiskGib: number
  minMemoryMib: number
}

export type GlanceClient = {
  /**
   * Active images that the session's project may use, the newest first: its own, public images, and images of others that it
   * has accepted. `isComplete` is false if there are more than 5,000. @throws OpenStackError
   */
  listImages: () => Promise<{ items: Image[]; isComplete: boolean }>
}

/** Glance's `limit_param_default` is 25, and `api_limit_max` 1000. */
const FIRST_QUERY = 'status=active&sort=created_at:desc&limit=1000'
const MAX_PAGES = 5

const toImage = (image: z.infer<typeof imagesSchema>['images'][number]): Image => ({
  id: image.id,
  name: image.name ?? image.id,
  ownerId: image.owner ?? null,
  sizeBytes: image.size ?? null,
  minDiskGib: image.min_disk ?? 0,
  minMemoryMib: image.min_ram ?? 0,
})

/** Glance v2 as this session sees it. */
export const createGlance = ({ account }: { account: OpenStackSession }): GlanceClient => {
  const readPage = async (query: string) => {
    const answer = await account.request({ service: 'glance', method: 'GET', path: `/images?${query}` })
    const what = 'GET /v2/images'
    return parseAnswer({ schema: imagesSchema, answer, service: 'glance', cloud: account.cloud, what })
  }
  return {
    listImages: async () => {
      const items: Image[] = []
      const queries = new Set<string>()
      let query: string | undefined = FIRST_QUERY
      while (query !== undefined) {
        if (queries.has(query))
          throw new OpenStackError(
            `Glance of cloud "${account.cloud}" links from one page of images to the same page again.`,
            { kind: 'invalid-answer', service: 'glance', cloud: account.cloud },
          )
        if (queries.size === MAX_PAGES) return { items, isComplete: false }
        queries.add(query)
        const { images, next } = await readPage(query)
        // Proxies and caches may ignore the filter.
        for (const image of images) if (image.status === 'active') items.push(toImage(image))
        query = next?.split('?')[1]
      }
      return { items, isComplete: true }
    },
  }
}
