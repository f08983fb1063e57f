import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { pressByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

test('Adding a host gives one line, shown once, and says when the host reports', async ({ page }) => {
  const world = await openWorld()
  try {
    await page.goto(`${world.url}/settings/agents`)
    await page.getByRole('button', { name: 'Add host' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What for').fill('rack 2')
    await expectGoodLooks(page)
    await dialog.getByRole('button', { name: 'Make the install line' }).click()
    await expect(dialog.getByText(/curl .*install\.sh.* --token /)).toBeVisible()
    await expectGoodLooks(page)
    await expect(dialog.getByRole('status')).toContainText('Waiting for the first report')
    await world.report([t4SeedHost])
    await expect(dialog.getByRole('status')).toContainText('ip-172-31-12-209 reports')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(/--token/)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Join tokens' })).toContainText('rack 2')
  } finally {
    await page.close()
    await world.stop()
  }
})

test('A wrong entry says what is wrong beside the field, and nothing is made', async ({ page, empty }) => {
  await page.goto(`${empty.url}/settings/agents`)
  await page.getByRole('button', { name: 'Add host' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Only this host (optional)').fill('not a host name')
  await dialog.getByRole('button', { name: 'Make the install line' }).click()
  await expect(dialog.getByLabel('Only this host (optional)')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText(/must be a host name/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Join tokens' })).toContainText('No token yet')
})

test('Revoking a credential asks first and is seen at once, by keyboard alone', async ({ page }) => {
  const world = await openWorld()
  try {
    await world.report([t4SeedHost])
    await page.goto(`${world.url}/settings/agents`)
    await pressByKeyboard(
      page,
      page.getByRole('button', { name: 'Revoke the credential of ip-172-31-12-209' }),
    )
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await expectGoodLooks(page)
    await pressByKeyboard(page, dialog.getByRole('button', { name: 'Revoke the credential' }))
    await expect(page.getByRole('region', { name: 'Agents' })).toContainText('revoked')
    await expect(page.getByRole('button', { name: 'Revoke the credential of ip-172-31-12-209' })).toHaveCount(
      0,
    )
  } finally {
    await page.close()
    await world.stop()
  }
})
