import { inEachLook } from './world/looks'
import { expect, test } from './world/test'

test('The search opens with a key and closes with Escape, once, and the focus is where it was', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  // The keys work from then on.
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible()
  const row = page.locator('tr[data-index]').first()
  await row.focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('gpu-a40')
  await expect(page.getByRole('option', { name: /gpu-a40-01/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeFocused()
  const button = page.getByRole('button', { name: /^Search or run/ })
  await button.press('Enter')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(page.getByRole('link', { name: 'Hosts' })).toBeVisible()
})

test('A long word stays within the search', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  // The keys work from then on.
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('w'.repeat(100))
  const shown = page.getByRole('option', { name: /^Show the GPUs that match/ })
  await expect(shown).toBeVisible()
  const isCut = await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  expect(isCut).toBe(false)
})

test('The search finds commands, remembers the last choice, and groups results with their numbers', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  // The keys work from then on.
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search or run a command' })
  await page.getByRole('combobox').fill('removed')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/removed-hosts/)
  await page.keyboard.press('Control+k')
  await expect(dialog.getByRole('option').first()).toContainText('Removed hosts')
  await page.getByRole('combobox').fill('gpu-a40')
  await expect(dialog.getByText(/^Hosts \d+$/)).toBeVisible()
  await inEachLook(page)
  await page.getByRole('combobox').fill('audit')
  await expect(dialog.getByRole('option', { name: /^Audit/ })).toBeVisible()
  await page.getByRole('combobox').fill('T4-4C')
  await expect(dialog.getByText(/^vGPU types \d+$/)).toBeVisible()
})
