import type { Page } from '@playwright/test'
import type { CloudWorld } from './world/cloud'
import { expectGoodLooks } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

/** A cloud with two hosts without sign-in. */
const inCloud = (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> =>
  inReportedCloud({ page, hostCount: 2 }, work)

const SOON = { timeout: 60_000 }

const limitsTable = (page: Page) => page.getByRole('table', { name: 'Limits of projects' })

const vgpuOf = ({ openstack }: CloudWorld, project: string): number | undefined => {
  const { keystone } = openstack.cloud
  const id = keystone.projects.find(({ name }) => name === project)?.id
  return keystone.limits.find((row) => row.projectId === id && row.resourceName === 'class:VGPU')
    ?.resourceLimit
}

test('A project’s limit is found, changed and written', async ({ page }) => {
  test.setTimeout(300_000)
  await inCloud(page, async (world) => {
    await page.goto(world.url)
    await page.getByRole('navigation').getByRole('link', { name: 'Quotas' }).click()
    await expect(page.getByRole('table', { name: 'Resource classes' })).toContainText('VGPU', SOON)
    await page.getByRole('searchbox', { name: /Filter by project/ }).fill('admin vgpu')
    await expect(page).toHaveURL(/q=admin/)
    await expect(limitsTable(page).getByRole('row')).toHaveCount(2)
    await expectGoodLooks(page)

    await page.getByRole('checkbox', { name: 'Select VGPU of admin' }).check()
    await page.getByRole('link', { name: 'Change limits' }).click()
    await page.getByRole('textbox', { name: 'New limit on VGPU, admin' }).fill('many')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await expect(page.getByText(/Enter a whole number from 0/)).toBeVisible()
    await page.getByRole('textbox', { name: 'New limit on VGPU, admin' }).fill('0')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await expect(page.getByText('Set class:VGPU of admin to 0')).toBeVisible(SOON)
    await expectGoodLooks(page)

    expect(vgpuOf(world, 'admin')).toBe(4)
    await page.getByRole('button', { name: 'Save and start' }).click()
    await expect(page).toHaveURL(/\/changes\/\d+/, SOON)
    await expect(page.getByRole('status').filter({ hasText: 'done' })).toHaveCount(1, SOON)
    expect(vgpuOf(world, 'admin')).toBe(0)
  })
})

test('The set-up of a cloud without unified limits shows what is missing and plans it', async ({ page }) => {
  test.setTimeout(300_000)
  await inCloud(page, async (world) => {
    world.openstack.controls.forgetLimits()
    await page.goto(`${world.url}/quotas/set-up`)
    await expect(page.getByText(/Nova answers \d+ for/)).toBeVisible(SOON)
    const answer = page.getByRole('region', { name: 'Quota driver' })
    await answer.getByRole('radio', { name: /^unified limits/ }).check()
    await answer.getByRole('button', { name: 'Save answer' }).click()
    await expect(answer).toContainText('Answered by')
    await expect(page.getByText(/This contradicts an answer: .* uses unified limits/)).toBeVisible()
    await answer.getByRole('radio', { name: /^Nova’s own quotas/ }).check()
    await answer.getByRole('button', { name: 'Change answer' }).click()
    await expect(page.getByText(/answered that Nova’s API uses its own quotas/)).toBeVisible()
    await answer.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('button', { name: 'Withdraw answer' }).click()
    // Its button went with the answer: the next Tab continues from the page, not from the top.
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByText(/answered that Nova’s API/)).toHaveCount(0)
    await expect(page.getByText(/nova-manage limits migrate_to_unified_limits --region-id/)).toBeVisible()
    await page.getByRole('button', { name: 'Create plan' }).click()
    await expect(page.getByText('Assign the role reader on the system to nova')).toBeVisible(SOON)
    await expect(page.getByText(/driver = nova\.quota\.UnifiedLimitsDriver/).first()).toBeVisible()
    await expectGoodLooks(page)
  })
})
