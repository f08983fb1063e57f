import { expect, test } from './world/test'

test('Colors that were chosen apply before any script runs, and other tabs follow', async ({
  page,
  browser,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  const other = await page.context().newPage()
  await other.goto(`${fleet.url}/hosts`)
  await other.getByRole('button', { name: 'Color theme: system' }).waitFor()
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  await page.getByRole('button', { name: 'Color theme: system' }).click()
  await page.getByRole('button', { name: 'Color theme: light' }).click()
  await expect(page.getByRole('button', { name: 'Color theme: dark' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Color theme: dark' })).toBeVisible()
  await expect(other.locator('body')).not.toHaveCSS('background-color', light)

  const storageState = await page.context().storageState()
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false, storageState })
  const again = await withoutScripts.newPage()
  await again.goto(`${fleet.url}/gpus`)
  await expect(again.locator('body')).not.toHaveCSS('background-color', light)
  await withoutScripts.close()
})

test('Without a choice the colors follow the system while the page is open', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('body')).not.toHaveCSS('background-color', light)
})
