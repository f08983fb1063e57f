import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import type { CloudWorld } from './world/cloud'
import { inEachLook, overflow } from './world/looks'
import { inReportedCloud, openReportedCloud } from './world/reported-cloud'
import { withSharedWorld } from './world/shared-world'
import { expect } from './world/test'

const test = withSharedWorld(() => openReportedCloud({ hostCount: 2 }))

/** One like it, which a test may break. */
const inCloud = (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> =>
  inReportedCloud({ page, hostCount: 2 }, work)

/** The page polls every ten seconds, and a round must end before. */
const SOON = { timeout: 30_000 }

const row = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
    .first()
const numbers = (page: Page) => page.locator('dl[aria-label="Available capacity"]')

/** Free vGPUs that a disabled host keeps from everybody. */
const HOST = 'cmp-r2-07'
const FLAVOR = 'vgpu.t4-8c'

test('A flavor is opened from the navigation, and shows host by host why no more fit', async ({
  page,
  cloud,
}) => {
  test.setTimeout(120_000)
  await page.goto(cloud.url)
  await page.getByRole('navigation').getByRole('link', { name: 'Flavors' }).click()
  await expect(row(page, FLAVOR)).toContainText('1 vGPU of T4-8C', SOON)
  await expect(page.getByText('2 flavors without a GPU are not listed.')).toBeVisible()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('searchbox', { name: /Filter by flavor/ }).fill('t4-8c')
  await expect(page).toHaveURL(/q=t4-8c/)
  await expect(row(page, 'vgpu.t4-16c')).toHaveCount(0)
  await row(page, FLAVOR).getByRole('link', { name: FLAVOR, exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: FLAVOR })).toBeVisible()
  await expect(page.getByText(/GET \/allocation_candidates/)).toContainText('required=CUSTOM_GRID_T4_8C')
  await expect(page.getByText(/Placement was queried/)).toContainText('on 1 host')

  const host = page.getByRole('listitem').filter({ hasText: HOST }).first()
  await expect(host.getByText('Placement offers it now.')).toBeVisible()
  await host.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(host.getByText('Placement offers it now.')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(host.getByText('Fully allocated in Placement').first()).toBeVisible()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByLabel('Check whether').fill('500')
  await expect(page).toHaveURL(/count=500/)
  await expect(page.getByRole('region', { name: 'Multi-create check' })).toContainText(
    /No: no more than \d+ server/,
  )
  await page.getByLabel('Check whether').fill('1')
  await expect(page.getByRole('region', { name: 'Multi-create check' })).toContainText('Yes: up to')

  await host
    .getByRole('link', { name: /^0000:/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/gpus\/cmp-r2-07\/0000:/)
})

test('What blocks a flavor is shown as text: a disabled host, a trait on no provider, a refused query @long', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await inCloud(page, async (world) => {
    const { controls } = world.openstack
    controls.disableService({ host: HOST, value: 'new rails' })
    controls.addFlavor({ kind: 'unknown-trait' })
    controls.addFlavor({ kind: 'no-policy' })
    await page.goto(`${world.url}/flavors`)
    await expect(row(page, FLAVOR)).toContainText('nova-compute is disabled: new rails', SOON)
    await row(page, FLAVOR).getByRole('link', { name: FLAVOR, exact: true }).click()
    await expect(page.getByRole('button', { name: /nova-compute is disabled or down/ })).toBeVisible()

    await page.goto(`${world.url}/flavors?q=spoilt`)
    await expect(row(page, 'spoilt.unknown-trait')).toContainText('which no provider has', SOON)
    await row(page, 'spoilt.unknown-trait')
      .getByRole('link', { name: /which no provider has/ })
      .click()
    await expect(page).toHaveURL(/\/findings\/\d+/)
    await page.getByRole('main').getByRole('link', { name: 'flavor spoilt.unknown-trait' }).click()
    const groups = page.getByRole('region', { name: 'Hosts by reason' })
    await groups.getByRole('button', { name: /no pGPU with the trait/ }).click()
    await expect(page).toHaveURL(/group=trait/)

    await page.goto(`${world.url}/flavors?q=spoilt.no-policy`)
    await row(page, 'spoilt.no-policy').getByRole('link', { name: 'spoilt.no-policy', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Placement rejects the query')
    await expect(numbers(page)).toContainText(/Fit now\s*0/)
  })
})

test('While Placement is away the last reading is shown, and later discarded @long', async ({ page }) => {
  test.setTimeout(120_000)
  await inCloud(page, async (world) => {
    await page.goto(`${world.url}/flavors?q=t4-8c`)
    await expect(row(page, FLAVOR)).toContainText(FLAVOR, SOON)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await row(page, FLAVOR).getByRole('link', { name: FLAVOR, exact: true }).click()
    await expect(page.getByText(/Placement was queried/)).toBeVisible(SOON)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    world.openstack.controls.breakApi({ service: 'placement', kind: '503' })
    const alert = page.getByRole('main').getByRole('alert')
    await page.reload()
    await expect(alert).toContainText(/Placement is not responding|Available capacity is unknown/, SOON)
    await expect(alert).toContainText('The values are from the last reading')
    await expect(alert).toContainText('Available capacity is unknown', { timeout: 60_000 })
    await inEachLook(page)
  })
})

test('A vGPU type is reached from its card, and leads to the flavors that match this type', async ({
  page,
  cloud,
}) => {
  test.setTimeout(90_000)
  await page.goto(`${cloud.url}/flavors?q=t4-8c`)
  await expect(row(page, FLAVOR)).toContainText('T4-8C', SOON)
  await page.goto(`${cloud.url}/gpus/${HOST}/0000:18:00.0`)
  await page.getByRole('link', { name: 'Check available capacity' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'T4-8C' })).toBeVisible()
  await expect(page.getByText(/Placement was queried/)).toBeVisible(SOON)
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('region', { name: 'Flavors' }).getByRole('link', { name: FLAVOR }).click()
  await expect(page).toHaveURL(/\/flavors\//)
})

test('Flavors without a cloud show how to connect one', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/flavors`)
  await expect(page.getByRole('heading', { name: 'OpenStack has not been read yet' })).toBeVisible()
  await expect(page.getByText('docs/operating.md')).toBeVisible()
  await inEachLook(page)
})

test.describe('what does not exist', () => {
  test.use({ allowedConsoleErrors: [/404/] })

  test('A flavor and a vGPU type that do not exist are reported as missing, with a link back', async ({
    page,
    cloud,
  }) => {
    test.setTimeout(90_000)
    await page.goto(`${cloud.url}/flavors`)
    await expect(row(page, FLAVOR)).toContainText(FLAVOR, SOON)
    await page.goto(`${cloud.url}/types/nvidia-0`)
    await expect(page.getByRole('heading', { name: 'There is no such vGPU type' })).toBeVisible()
    await page.goto(`${cloud.url}/flavors/no-such`)
    await expect(page.getByRole('heading', { name: 'There is no such flavor' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'All flavors' }).click()
    await expect(page).toHaveURL(`${cloud.url}/flavors`)
  })
})

test('A hidden column stays hidden in the address, and comes back', async ({ page, cloud }) => {
  await page.goto(`${cloud.url}/flavors`)
  const header = (name: string) => page.getByRole('columnheader', { name })
  await expect(header('At once')).toBeVisible(SOON)
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Flavor' })).toHaveCount(0)
  await page.getByRole('menuitemcheckbox', { name: 'At once' }).click()
  await expect(header('At once')).toHaveCount(0)
  await expect(page).toHaveURL(/hide=at_once/)
  await page.reload()
  await expect(header('Hosts now / empty')).toBeVisible(SOON)
  await expect(header('At once')).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await expect(header('At once')).toBeVisible()
})
