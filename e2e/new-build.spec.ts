import { expect, test } from './world/test'

test('A page of an earlier build keeps what it shows and requests a reload', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  const filter = page.getByRole('searchbox', { name: /Filter by host/ })
  await filter.fill('gpu-a40')
  const row = page.locator('tr[data-index]').filter({ hasText: 'gpu-a40-01' }).first()
  await expect(row).toBeVisible()
  const notice = page.getByRole('alertdialog', { name: 'New version' })
  await expect(notice).toHaveCount(0)
  await page.route('**/api/v1/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-build-id': 'another' } })
  })
  await expect(notice).toContainText('This page no longer refreshes.', { timeout: 30_000 })
  await expect(row).toBeVisible()
  await expect(filter).toHaveValue('gpu-a40')
  await expect(page.getByText('could not be refreshed')).toHaveCount(0)
  await page.unroute('**/api/v1/**')
  await notice.getByRole('button', { name: 'Reload the page' }).click()
  await expect(row).toBeVisible()
  await expect(notice).toHaveCount(0)
})
