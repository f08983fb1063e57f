import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { type CloudWorld, firstRound, openCloudWorld, signIn } from './world/cloud'
import { overflow } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

/** A page polls every second while a change runs; a reading round must end before a plan. */
const SOON = { timeout: 30_000 }

/** A cloud that an admin of a project is signed in to, with a host that has reported. */
const inCloud = (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> =>
  inReportedCloud({ page, as: /^admin/ }, work)

const NAME = 'vgpu.e2e'

const made = ({ openstack }: CloudWorld) => openstack.cloud.nova.flavors.find(({ name }) => name === NAME)

const inState = (page: Page, word: string) =>
  page.getByRole('region', { name: 'State' }).getByText(word, { exact: true })

test('A flavor is planned from a type, checked with Placement, and created', async ({ page }) => {
  test.setTimeout(180_000)
  await inCloud(page, async (world) => {
    await page.goto(`${world.url}/flavors`)
    await page.getByRole('link', { name: 'Create flavor' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Create flavor' })).toBeVisible()
    const types = page.getByRole('group', { name: /^GPU/ })
    await expect(types.getByRole('radio').first()).toBeVisible(SOON)
    await types.getByRole('radio').first().press('Space')
    const specs = page.getByRole('region', { name: 'Extra specs' })
    await expect(specs).toContainText('resources:VGPU=1')
    await page.getByLabel('vGPUs per server').selectOption('2')
    await expect(specs).toContainText('group_policy=isolate')
    await page.getByLabel('vGPUs per server').selectOption('1')

    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    await expect(page.getByText('Enter a name.')).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill(NAME)
    await page.getByLabel('Memory (GiB)').fill('60000')
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    await expect(page.getByText(/no host could run a server of it/)).toBeVisible(SOON)
    await page.getByRole('button', { name: 'Save plan' }).focus()
    await expect(page.getByRole('tooltip')).toContainText('no steps')

    await page.getByLabel('Memory (GiB)').fill('2')
    await page.getByRole('radio', { name: 'These projects' }).press('Space')
    await page.getByRole('checkbox', { name: 'cfd-lab' }).press('Space')
    await page.getByLabel('Aggregate', { exact: true }).selectOption({ label: 'new aggregate…' })
    await page.getByLabel('Name of the new aggregate').fill('gpu-e2e')
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    const steps = page.getByRole('list', { name: 'Steps' })
    await expect(steps.getByText(`Create the flavor ${NAME}`)).toBeVisible(SOON)
    const meaning = page.getByRole('region', { name: 'What this changes' })
    await expect(meaning).toContainText(/Placement reports \d+ candidate/)
    await page.getByRole('tab', { name: 'Terraform' }).click()
    await expect(page.getByText(/resource "openstack_compute_flavor_v2"/)).toBeVisible()
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(made(world)).toBeUndefined()

    await page.getByRole('button', { name: 'Save plan' }).press('Enter')
    await expect(page).toHaveURL(/\/changes\/\d+$/)
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter')
    await expect(inState(page, 'done')).toBeVisible(SOON)
    expect(made(world)).toMatchObject({ isPublic: false, extraSpecs: { 'resources:VGPU': '1' } })
    expect(made(world)?.projectIds).toHaveLength(1)
    expect(await seriousFindings(page)).toEqual([])

    await page.goto(`${world.url}/flavors`)
    const row = page.getByRole('row').filter({ hasText: NAME }).first()
    await expect(row).toContainText('cfd-lab', SOON)
  })
})

test('A reader sees who may build a flavor, and builds none @long', async ({ page }) => {
  test.setTimeout(120_000)
  const world = await openCloudWorld({ SLICEBOARD_READ_INTERVAL_SECONDS: '1' })
  try {
    await signIn(page, world, 'reader', /^System/)
    await firstRound(world, page)
    await page.goto(`${world.url}/flavors`)
    await page.getByRole('button', { name: 'Create flavor' }).focus()
    await expect(page.getByRole('tooltip')).toContainText('you need the role admin')
    await page.goto(`${world.url}/changes/new/flavor`)
    await expect(page.getByRole('button', { name: 'Create plan' })).toBeVisible(SOON)
    await page.getByLabel('Name', { exact: true }).fill(NAME)
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    await page.getByRole('button', { name: 'Save plan' }).focus()
    await expect(page.getByRole('tooltip')).toContainText('you need the role admin')
    expect(made(world)).toBeUndefined()
  } finally {
    await page.close()
    await world.stop()
  }
})
