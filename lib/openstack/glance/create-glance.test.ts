import { afterEach, expect, test } from 'vitest'
import { createServiceAccount } from '../session/create-service-account'
import type { ServiceAccount } from '../session/types'
import { type ServedCloud, serveCloud } from '../testing/served-cloud'
import { errorOf } from '../testing/suite/target'
import type { ServedAnswer } from '../transport/testing/serve'
import { createGlance } from './create-glance'

let opened: { served: ServedCloud; account: ServiceAccount } | null = null
afterEach(async () => {
  await opened?.account.close()
  await opened?.served.stop()
})

const glanceOf = async (answer: (query: URLSearchParams) => ServedAnswer) => {
  const urls: string[] = []
  const served = await serveCloud(({ url }) => {
    if (!url.startsWith('/image/')) return { status: 404, body: {} }
    urls.push(url)
    return answer(new URL(url, 'http://x').searchParams)
  })
  const glance = { endpointOverride: `${served.origin}/image/v2` }
  const account = createServiceAccount({ ...served.config, services: { glance } })
  opened = { served, account }
  return { list: createGlance({ account }).listImages, urls }
}

const image = (id: string, more: object = {}) => ({
  id,
  name: `image ${id}`,
  status: 'active',
  owner: 'p1',
  size: 1024,
  min_disk: 10,
  min_ram: 512,
  ...more,
})

test('follows its pages by their query alone', async () => {
  const { list, urls } = await glanceOf((query) =>
    query.get('marker') === null
      ? { body: { images: [image('a')], next: 'http://elsewhere.example/v2/images?limit=1000&marker=a' } }
      : {
          body: {
            images: [image('b', { name: null, owner: null, size: null, min_disk: null, min_ram: null })],
          },
        },
  )
  expect(await list()).toEqual({
    items: [
      { id: 'a', name: 'image a', ownerId: 'p1', sizeBytes: 1024, minDiskGib: 10, minMemoryMib: 512 },
      { id: 'b', name: 'b', ownerId: null, sizeBytes: null, minDiskGib: 0, minMemoryMib: 0 },
    ],
    isComplete: true,
  })
  expect(urls).toEqual([
    '/image/v2/images?status=active&sort=created_at:desc&limit=1000',
    '/image/v2/images?limit=1000&marker=a',
  ])
})

test('leaves out images that are not active, also if the service lists them', async () => {
  const { list } = await glanceOf(() => ({
    body: { images: [image('a', { status: 'queued' }), image('b')] },
  }))
  expect((await list()).items.map(({ id }) => id)).toEqual(['b'])
})

test('stops after some pages, and reports that the list is not complete', async () => {
  const { list, urls } = await glanceOf((query) => {
    const marker = `${Number(query.get('marker') ?? 0) + 1}`
    return { body: { images: [image(marker)], next: `/v2/images?marker=${marker}` } }
  })
  expect(await list()).toMatchObject({ isComplete: false, items: { length: 5 } })
  expect(urls).toHaveLength(5)
})

test('gives up a page that links to itself, and an answer of another shape', async () => {
  const again = await glanceOf(() => ({ body: { images: [], next: '/v2/images?marker=a' } }))
  expect(await errorOf(again.list())).toMatchObject({ service: 'glance', kind: 'invalid-answer' })
  await opened?.account.close()
  await opened?.served.stop()
  const odd = await glanceOf(() => ({ body: { images: [{ id: 7 }] } }))
  expect(await errorOf(odd.list())).toMatchObject({
    service: 'glance',
    kind: 'invalid-answer',
    message: expect.stringContaining('images.0.id'),
  })
})

test('names the catalog where it has no Glance', async () => {
  const served = await serveCloud(() => ({ status: 404, body: {} }))
  const account = createServiceAccount(served.config)
  opened = { served, account }
  expect(await errorOf(createGlance({ account }).listImages())).toMatchObject({
    kind: 'refused-endpoint',
    service: 'glance',
    message: expect.stringContaining('no public endpoint of Glance'),
  })
})
