import { afterEach, expect, test } from 'vitest'
import { createTransport } from '../transport/create-transport'
import { type Answerer, serve } from '../transport/testing/serve'
import { createKeystone } from './create-keystone'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const open = async (answer: Answerer) => {
  const served = await serve(answer)
  const transport = createTransport({
    cloud: 'test',
    requestsPerSecond: 10_000,
    timeoutMs: 2000,
    caPem: null,
    verify: true,
    allowedOrigins: [served.origin],
  })
  cleanups.push(served.stop, transport.close)
  const keystone = createKeystone({ transport, authUrl: served.origin, cloud: 'test' })
  const list = async () => {
    const { items, incompleteBecause } = await keystone.listAllProjects({ tokenId: 't' })
    return { names: items.map(({ name }) => name), incompleteBecause }
  }
  return { list, keystone, urls: () => served.seen.map(({ url }) => url) }
}

const project = (name: string) => ({ id: `id-${name}`, name, domain_id: 'default', enabled: true })

const page = (names: readonly string[], rest: { next?: string | null; truncated?: true } = {}) => ({
  body: {
    projects: names.map(project),
    links: { next: rest.next ?? null, self: 'https://keystone.example/v3/projects', previous: null },
    ...(rest.truncated ? { truncated: true } : {}),
  },
})

// keystone/server/flask/common.py: wrap_collection; release note pagination-projects-ea311579da4bb83b (2025.1)
test('follows links.next, and an empty page after a full last one ends the list', async () => {
  const { list, urls } = await open(({ url }) => {
    if (url.endsWith('marker=id-b&limit=2'))
      return page(['c', 'd'], { truncated: true, next: 'https://k/v3/projects?marker=id-d&limit=2' })
    if (url.endsWith('marker=id-d&limit=2')) return page([])
    return page(['a', 'b'], { truncated: true, next: 'https://k/v3/projects?marker=id-b&limit=2' })
  })
  expect(await list()).toEqual({ names: ['a', 'b', 'c', 'd'], incompleteBecause: null })
  // Without a limit Keystone cuts at max_db_limit and does not report it (build_driver_hints).
  expect(urls()[0]).toBe('/v3/projects?limit=1000')
})

test('a link to another host or path gives only its query: the token goes to Keystone alone', async () => {
  const other = await serve(() => page(['stolen']))
  cleanups.push(other.stop)
  const { list, urls } = await open(({ url }) =>
    url.includes('marker')
      ? page(['b'])
      : page(['a'], {
          truncated: true,
          next: `${other.origin}/identity/v3/identity/v3/projects?marker=id-a&limit=1#x`,
        }),
  )
  expect(await list()).toEqual({ names: ['a', 'b'], incompleteBecause: null })
  expect([other.seen, urls()]).toEqual([[], ['/v3/projects?limit=1000', '/v3/projects?marker=id-a&limit=1']])
})

const CUT = (count: number, rest: string) =>
  `Keystone's list of projects is incomplete after ${count}: Keystone cut it ([DEFAULT] list_limit)${rest}; raise the option.`

test.each([
  ['itself', () => '?marker=x'],
  ['each other', (url: string) => (url.endsWith('x') ? '?marker=y' : '?marker=x')],
])('empty pages that link to %s end the list', async (_, next) => {
  const { list, urls } = await open(({ url }) =>
    url.includes('marker')
      ? page([], { next: `https://k/v3/projects${next(url)}` })
      : page(['a'], { next: 'https://k/v3/projects?marker=x' }),
  )
  const { names, incompleteBecause } = await list()
  expect([names, incompleteBecause]).toEqual([['a'], expect.stringContaining('links to the same page again')])
  expect(urls().length).toBeLessThan(5)
})

test('a page that cannot be read leaves no part of the list', async () => {
  const { list } = await open(({ url }) =>
    url.includes('marker')
      ? { status: 500, body: { error: { message: 'DBError' } } }
      : page(['a'], { next: 'https://k/v3/projects?marker=x' }),
  )
  await expect(list()).rejects.toMatchObject({ name: 'OpenStackError' })
})

test('a list that Keystone cuts without a link is incomplete', async () => {
  const { list } = await open(() => page(['a', 'b'], { truncated: true }))
  expect(await list()).toEqual({ names: ['a', 'b'], incompleteBecause: CUT(2, '') })
})

test.each([
  ['the same link again', () => 'https://k/v3/projects?marker=id-b&limit=2', 2],
  ['a new link to the same page each time', (count: number) => `https://k/v3/projects?marker=${count}`, 2],
  ['a link without a query', () => 'https://k/v3/projects', 2],
])('%s ends the list, which is incomplete', async (_what, next, requests) => {
  const { list, urls } = await open((_request, count) =>
    page(['a', 'b'], { truncated: true, next: next(count) }),
  )
  expect(await list()).toEqual({
    names: ['a', 'b'],
    incompleteBecause: CUT(2, ' and links to the same page again'),
  })
  expect(urls()).toHaveLength(requests)
})

test('empty pages without an end stop at the bound', async () => {
  const { list, urls } = await open((_request, count) =>
    page([], { next: `https://k/v3/projects?marker=${count}` }),
  )
  expect((await list()).incompleteBecause).toContain('the console reads at most 500 pages')
  expect(urls()).toHaveLength(500)
})

test('a page that fails is an error, not a shorter list', async () => {
  const { list } = await open(({ url }) =>
    url.includes('marker')
      ? { status: 403, body: { error: { code: 403, message: 'no' } } }
      : page(['a'], { truncated: true, next: 'https://k/v3/projects?marker=id-a' }),
  )
  await expect(list()).rejects.toMatchObject({ status: 403 })
})

test('a list that is needed as a whole is an error when Keystone cuts it', async () => {
  const { keystone } = await open(() => ({ body: { users: [], truncated: true } }))
  await expect(keystone.listUsers({ tokenId: 't', name: 'nova' })).rejects.toMatchObject({
    kind: 'invalid-answer',
    message: expect.stringContaining("Keystone's list of users is incomplete"),
  })
})
