import { expect, test } from './world/test'

test('The search opens with a key and closes with Escape, once', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  await expect(page.locator('tr[data-place]').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('gpu-a40')
  await expect(page.getByRole('option', { name: /gpu-a40-01/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Hosts' })).toBeVisible()
})
