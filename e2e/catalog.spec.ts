import type { Page } from '@playwright/test'
import { type Catalog, type CatalogFlavor, catalogSchema } from '@/lib/schemas/api/catalog'
import { dropConsumer, putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { type CloudWorld, signIn } from './world/cloud'
import { pressByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

/** Hosts report, a round ends, the catalog is counted, and the page refreshes every 15 seconds. */
const SOON = { timeout: 90_000 }
const DASHBOARD = 'https://dashboard.example'

/** A cloud whose hosts have reported once, with a tenant signed in. */
const asTenant = (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> =>
  inReportedCloud(
    {
      page,
      as: /^System/,
      hostCount: 2,
      env: {
        // The hosts report once.
        SLICEBOARD_SILENT_AFTER_SECONDS: '86400',
        SLICEBOARD_DASHBOARDS: `skyline+${DASHBOARD}`,
      },
      before: allowVgpus,
    },
    async (world) => {
      // Pending requests of the admin's page would be refused.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await signIn(page, world, 'tenant', null)
      await work(world)
    },
  )

const catalogOf = async (page: Page, { url }: CloudWorld, query = ''): Promise<Catalog> =>
  catalogSchema.parse(await (await page.request.get(`${url}/api/v1/catalog${query}`)).json())

const cards = (page: Page) => page.getByRole('article')

const isUsable = ({ availability, headroom }: CatalogFlavor): boolean =>
  (availability === 'free' || availability === 'few') && headroom.state === 'available'

/** The first flavor that a person could start now, once the hosts' reports are counted. */
const firstUsable = async (page: Page, world: CloudWorld): Promise<CatalogFlavor> => {
  await expect
    .poll(async () => (await catalogOf(page, world)).flavors.filter(isUsable).length, SOON)
    .toBeGreaterThan(0)
  const found = (await catalogOf(page, world)).flavors.find(isUsable)
  if (found === undefined) throw new Error('the catalog has no usable flavor left')
  return found
}

/** Two hosts are too few for every project to have servers, and limits are made from those. */
const allowVgpus = ({ openstack }: CloudWorld): void => {
  for (const limit of openstack.cloud.keystone.registeredLimits)
    if (limit.resourceName.startsWith('class:')) limit.defaultLimit = Math.max(limit.defaultLimit, 1_000_000)
  openstack.cloud.keystone.limits = openstack.cloud.keystone.limits.filter(
    ({ resourceName }) => !resourceName.startsWith('class:'),
  )
}

/** Another project takes all that providers have left of a flavor's card; gives what hands it back. */
const takeAll = ({ openstack }: CloudWorld): (() => void) => {
  const { placement } = openstack.cloud
  const taken: string[] = []
  for (const provider of placement.providers.values()) {
    if (!provider.inventories.has('VGPU')) continue
    const uuid = `aaaaaaaa-0000-4000-8000-${String(taken.length).padStart(12, '0')}`
    taken.push(uuid)
    const allocations = new Map([[provider.uuid, new Map([['VGPU', 1000]])]])
    putConsumer(placement, {
      uuid,
      projectId: 'f'.repeat(32),
      userId: 'u-other',
      type: 'INSTANCE',
      generation: 1,
      allocations,
    })
  }
  return () => {
    for (const uuid of taken) dropConsumer(placement, uuid)
  }
}

test('A tenant finds a flavor and the way to it with the keyboard alone, on a phone too', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await asTenant(page, async (world) => {
    await expect(page).toHaveURL(`${world.url}/catalog`)
    await expect(page.getByRole('heading', { level: 1, name: 'GPU flavors' })).toBeVisible()
    await expect(page.getByText('available to cfd-lab')).toBeVisible()
    await expect(cards(page).first()).toBeVisible(SOON)
    await expect(page.getByRole('region', { name: 'Quota of your project' })).toContainText('vGPUs')
    await expectGoodLooks(page)

    const { id, name } = await firstUsable(page, world)
    await page.goto(`${world.url}/catalog?q=${name}`)
    await pressByKeyboard(
      page,
      page.getByRole('button', { name: new RegExp(`^Create server\\W+with ${name}$`) }),
    )
    const dialog = page.getByRole('dialog', { name: 'Create server' })
    await expect(dialog.getByRole('link', { name: 'Open Skyline' })).toHaveAttribute(
      'href',
      `${DASHBOARD}/compute/instance/create?flavor=${id}`,
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)

    await pressByKeyboard(page, page.getByRole('link', { name: 'Servers', exact: true }))
    const servers = page.getByRole('table', { name: 'Servers of your project with a GPU' })
    const nova = [...world.openstack.cloud.nova.servers.values()]
    const project = world.openstack.cloud.keystone.projects.find((one) => one.name === 'cfd-lab')?.id
    const own = nova.filter(({ projectId }) => projectId === project).map((server) => server.name)
    const others = nova.filter(({ projectId }) => projectId !== project).map((server) => server.name)
    await expect(own.length > 0 ? servers : page.getByText('No servers with a GPU')).toBeVisible()
    const text = (await page.getByRole('main').textContent()) ?? ''
    expect(own.filter((one) => !text.includes(one))).toEqual([])
    expect(others.filter((one) => text.includes(one))).toEqual([])
    await expectGoodLooks(page)
  })
})

test('A tenant searches, filters, sorts and compares flavors, and the address keeps it', async ({ page }) => {
  test.setTimeout(300_000)
  await asTenant(page, async (world) => {
    await expect(cards(page).first()).toBeVisible(SOON)
    const all = await catalogOf(page, world)
    const names = (): Promise<(string | null)[]> =>
      cards(page).evaluateAll((found) => found.map((one) => one.getAttribute('aria-label')))
    const namesOf = ({ flavors }: Catalog) => flavors.slice(0, 24).map(({ name }) => name)

    await page.getByRole('searchbox', { name: /^Search flavors/ }).fill('a40 8 gib')
    await expect(page).toHaveURL(/q=a40/)
    await expect.poll(names, SOON).toEqual(namesOf(await catalogOf(page, world, '?q=a40 8 gib')))
    expect((await names()).length).toBeLessThan(all.total)
    await pressByKeyboard(page, page.getByRole('button', { name: 'Clear', exact: true }))
    await pressByKeyboard(page, page.getByRole('button', { name: 'Desktop', exact: true }))
    await expect(page).toHaveURL(/for=desktop/)
    await page.getByRole('button', { name: 'Isolation' }).click()
    await page.getByRole('menuitemradio', { name: 'time-sliced' }).click()
    await expect(page).toHaveURL(/state=time-sliced/)
    await page.getByRole('button', { name: /^Sort by/ }).click()
    await page.getByRole('menuitemradio', { name: 'GPU memory, largest first' }).click()
    await expect(page).toHaveURL(/sort=memory&desc=true/)
    const narrowed = await catalogOf(page, world, '?for=desktop&state=time-sliced&sort=memory&desc=true')
    await expect.poll(names, SOON).toEqual(namesOf(narrowed))
    await expect(page.getByText(`${narrowed.total} of ${all.total} flavors`)).toBeVisible()
    await expectGoodLooks(page)

    await pressByKeyboard(page, page.getByRole('button', { name: 'Clear', exact: true }))
    const [first, second] = all.flavors
    if (first === undefined || second === undefined) throw new Error('the catalog has two flavors')
    for (const { name } of [first, second])
      await page.getByRole('checkbox', { name: `Compare ${name}`, exact: true }).press('Space')
    const comparison = page.getByRole('region', { name: 'Compare' })
    await expect(comparison.getByRole('columnheader')).toHaveCount(2)
    await expect(comparison.getByRole('row', { name: /^Performance/ })).toContainText(/reserved|varies/)
    await page.getByRole('searchbox', { name: /^Search flavors/ }).fill('no such flavor')
    await expect(page.getByText('No flavor matches the filter')).toBeVisible()
    await expect(comparison.getByRole('columnheader')).toHaveCount(2)
    await page.reload()
    await expect(comparison).toContainText(first.name)
    await expect(comparison).toContainText(second.name)
    const rows = await comparison.getByRole('row').count()
    await comparison.getByRole('button', { name: 'Show only differences' }).click()
    await expect.poll(() => comparison.getByRole('row').count()).toBeLessThan(rows)
    await expect(page).toHaveURL(/differences=true/)
    await expectGoodLooks(page)
    await comparison.getByRole('button', { name: /^Clear/ }).click()
    await expect(comparison).toHaveCount(0)
  })
})

test('A project that waits for a free GPU is notified on the page, and a foreign flavor is not found @long', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await asTenant(page, async (world) => {
    await expect(cards(page).first()).toBeVisible(SOON)
    const { id, name } = await firstUsable(page, world)
    await page.goto(`${world.url}/catalog?q=${name}`)
    const giveBack = takeAll(world)
    const card = page.getByRole('article', { name, exact: true })
    await expect(card).toContainText('Not available', SOON)
    await card.getByRole('button', { name: /^Notify me when available/ }).click()
    await expect(card.getByRole('button', { name: /^Notification requested/ })).toBeVisible()
    await expectGoodLooks(page)
    giveBack()
    await page.getByRole('link', { name: 'Servers', exact: true }).click()
    const note = page.getByRole('status').filter({ hasText: `${name} is available.` })
    await expect(note).toBeVisible(SOON)
    await note.getByRole('button', { name: /^Dismiss/ }).click()
    await expect(note).toHaveCount(0)

    for (const flavor of world.openstack.cloud.nova.flavors) {
      if (flavor.id !== id) continue
      flavor.isPublic = false
      flavor.projectIds = ['f'.repeat(32)]
    }
    await expect(async () => {
      expect((await catalogOf(page, world)).flavors.map((flavor) => flavor.id)).not.toContain(id)
    }).toPass(SOON)
    await page.goto(`${world.url}/catalog?flavor=${id}`)
    await expect(page.getByRole('dialog', { name: 'Flavor not found' })).toBeVisible()
    expect((await page.content()).includes(name)).toBe(false)
  })
})
