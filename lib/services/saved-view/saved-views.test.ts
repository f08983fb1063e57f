import { expect, test } from 'vitest'
import { savedViewListSchema } from '@/lib/schemas/api/saved-view'
import type { Actor } from '@/lib/server/context/service-context'
import { createServiceWorld, TENANT } from '@/lib/services/testing/service-world'
import { createSavedView } from './create-saved-view'
import { deleteSavedView } from './delete-saved-view'
import { listSavedViews } from './list-saved-views'
import { updateSavedView } from './update-saved-view'

const world = createServiceWorld()

const person = (name: string, role: 'admin' | 'reader', cloud: string): Actor => ({
  kind: 'user',
  name,
  roles: [role],
  account: {
    cloud,
    userId: `id-of-${name}`,
    userName: name,
    userDomain: 'Default',
    scope: { kind: 'system' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'a' },
  },
})

const view = { name: 'Rack 2', query: 'q=r2&group=host', isShared: false }

const openCloud = async () => {
  const { name: cloud } = await world.newCloud()
  const [ada, rita] = [
    world.ctx(person('ada', 'admin', cloud)),
    world.ctx(person('rita', 'reader', cloud)),
  ] as const
  const names = async (ctx: typeof ada) =>
    (await listSavedViews(ctx, { cloud })).views.map(({ name, isOwn }) => `${name}${isOwn ? ' own' : ''}`)
  const audited = () =>
    world.database().prisma.auditEntry.findMany({
      where: { cloud, action: { startsWith: 'view.' } },
      orderBy: { id: 'asc' },
    })
  return { cloud, ada, rita, names, audited }
}

test('own views and shared ones are listed by name, and others are not', async () => {
  const { cloud, ada, rita, names, audited } = await openCloud()
  await createSavedView(ada, { body: { cloud, ...view } })
  await createSavedView(ada, { body: { cloud, ...view, name: 'Free L40S', isShared: true } })
  await createSavedView(rita, { body: { cloud, ...view } })
  expect(await names(ada)).toEqual(['Free L40S own', 'Rack 2 own'])
  expect(await names(rita)).toEqual(['Free L40S', 'Rack 2 own'])
  const list = await listSavedViews(rita, { cloud })
  expect(savedViewListSchema.parse(list).views[0]).toMatchObject({ owner: 'ada', isShared: true })
  expect(await audited()).toMatchObject([
    { action: 'view.create', actor: 'user:ada', before: null, after: view },
    { action: 'view.create', after: { isShared: true } },
    { action: 'view.create', actor: 'user:rita' },
  ])
})

test('an own view is changed and deleted, and each name exists once for a person', async () => {
  const { cloud, ada, names, audited } = await openCloud()
  const { id } = await createSavedView(ada, { body: { cloud, ...view } })
  await createSavedView(ada, { body: { cloud, ...view, name: 'Rack 3' } })
  const taken = { code: 'conflict', field: 'name', message: expect.stringContaining('"Rack 3"') }
  await expect(createSavedView(ada, { body: { cloud, ...view, name: 'Rack 3' } })).rejects.toMatchObject(
    taken,
  )
  await expect(updateSavedView(ada, { id, body: { ...view, name: 'Rack 3' } })).rejects.toMatchObject(taken)
  expect(await updateSavedView(ada, { id, body: { ...view, query: 'q=r3' } })).toMatchObject({
    query: 'q=r3',
  })
  await deleteSavedView(ada, { id })
  await expect(deleteSavedView(ada, { id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await names(ada)).toEqual(['Rack 3 own'])
  expect((await audited()).map(({ action }) => action)).toEqual([
    'view.create',
    'view.create',
    'view.update',
    'view.delete',
  ])
})

test('a reader cannot share, and an admin changes shared views of others', async () => {
  const { cloud, ada, rita } = await openCloud()
  const forbidden = { code: 'forbidden', message: expect.stringContaining('share a view') }
  await expect(createSavedView(rita, { body: { cloud, ...view, isShared: true } })).rejects.toMatchObject(
    forbidden,
  )
  const own = await createSavedView(rita, { body: { cloud, ...view } })
  await expect(
    updateSavedView(rita, { id: own.id, body: { ...view, isShared: true } }),
  ).rejects.toMatchObject(forbidden)
  await expect(deleteSavedView(ada, { id: own.id })).rejects.toMatchObject({ code: 'not_found' })
  const shared = await createSavedView(ada, { body: { cloud, ...view, isShared: true } })
  await expect(deleteSavedView(rita, { id: shared.id })).rejects.toMatchObject(forbidden)
  const eve = world.ctx(person('eve', 'admin', cloud))
  expect(await updateSavedView(eve, { id: shared.id, body: { ...view, isShared: true } })).toMatchObject({
    owner: 'ada',
    isOwn: false,
  })
})

test('a tenant and people of another cloud see none, and wrong input writes nothing', async () => {
  const { cloud, ada, audited } = await openCloud()
  const other = await openCloud()
  const { id } = await createSavedView(ada, { body: { cloud, ...view, isShared: true } })
  await expect(listSavedViews(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listSavedViews(other.ada, { cloud })).rejects.toMatchObject({ code: 'not_found' })
  await expect(deleteSavedView(other.ada, { id })).rejects.toMatchObject({ code: 'not_found' })
  for (const [field, body] of [
    ['name', { ...view, name: ' ' }],
    ['query', { ...view, query: 'cloud=paris' }],
    ['query', { ...view, query: `q=${'a'.repeat(2000)}` }],
  ] as const)
    await expect(updateSavedView(ada, { id, body })).rejects.toMatchObject({ code: 'validation', field })
  expect(await audited()).toHaveLength(1)
})

test('a person has at most 20 views', async () => {
  const { cloud, ada } = await openCloud()
  for (let index = 0; index < 20; index += 1)
    await createSavedView(ada, { body: { cloud, ...view, name: `View ${index}` } })
  await expect(createSavedView(ada, { body: { cloud, ...view } })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('20 saved views, which is the maximum'),
  })
})
