import type { Page } from '@playwright/test'
import { type CloudWorld, openCloudWorld, signIn } from './world/cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

const SOON = { timeout: 60_000 }

// A request that is refused on purpose.
test.use({ allowedConsoleErrors: [/status of 400/] })

/** A cloud with two hosts, read every second. */
const inCloud = async (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> => {
  const world = await openCloudWorld({ SLICEBOARD_READ_INTERVAL_SECONDS: '1' }, { hostCount: 2 })
  try {
    await work(world)
  } finally {
    await page.close()
    await world.stop()
  }
}

const vgpuOf = ({ openstack }: CloudWorld, project: string): number | undefined => {
  const { keystone } = openstack.cloud
  const id = keystone.projects.find(({ name }) => name === project)?.id
  return keystone.limits.find((row) => row.projectId === id && row.resourceName === 'class:VGPU')
    ?.resourceLimit
}

const ask = async (page: Page, value: string, reason: string): Promise<void> => {
  await page.getByLabel('New limit').fill(value)
  await page.getByLabel('Use case').fill(reason)
  await page.getByRole('button', { name: 'Send request' }).click()
}

test('A project requests more, an admin approves, and the limit is there', async ({ page, elsewhere }) => {
  test.setTimeout(300_000)
  await inCloud(page, async (world) => {
    world.openstack.controls.setLimit({ project: 'cfd-lab', value: '4' })
    await signIn(page, world, 'tenant', null)
    await page.goto(`${world.url}/requests`)
    await expect(page.getByText('No requests yet')).toBeVisible(SOON)
    await expect(page.getByLabel('Kind of GPU')).toBeVisible(SOON)
    await page.getByLabel('Kind of GPU').selectOption('class:VGPU')
    await expect(page.getByText('Current limit: 4')).toBeVisible(SOON)
    await ask(page, 'many', 'A course')
    await expect(page.getByText('Enter a whole number of at least 1.')).toBeVisible()
    await ask(page, '3', 'A course')
    await expect(page.getByText(/the limit is already 4/)).toBeVisible(SOON)
    await ask(page, '12', 'A course of forty students')
    const own = page.getByRole('list', { name: 'Requests of the project' })
    await expect(own.getByText('Waiting for review')).toBeVisible(SOON)
    await expectGoodLooks(page)

    const admin = await elsewhere()
    await signIn(admin, world, 'admin', /^admin/)
    await admin.goto(`${world.url}/quotas`)
    await admin.getByRole('link', { name: 'Requests, 1 to review' }).click(SOON)
    await expect(admin.getByRole('table', { name: 'Quota requests' })).toContainText('cfd-lab', SOON)
    await expectGoodLooks(admin)
    await admin.getByRole('link', { name: 'cfd-lab' }).click()
    await expect(admin.getByRole('heading', { name: 'Allocated quota' })).toBeVisible(SOON)
    await expectGoodLooks(admin)
    await admin.getByRole('button', { name: 'Decline' }).click()
    await expect(admin.getByText('Enter the reason. The project sees it.')).toBeVisible()
    await admin.getByLabel('New limit').fill('10')
    await admin.getByRole('button', { name: 'Approve' }).click()
    await expect(admin.getByText('granted', { exact: true })).toBeVisible(SOON)
    expect(vgpuOf(world, 'cfd-lab')).toBe(10)
    await admin.close()

    await expect(own.getByText('Granted', { exact: true })).toBeVisible(SOON)
    await expect(own.getByText('Granted: 10, permanent.')).toBeVisible()
    await page.goto(`${world.url}/quotas/requests`)
    await expect(page.getByText('You need the admin or reader role')).toBeVisible(SOON)
    await page.close()
  })
})
