import { selectByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

test.use({ allowedConsoleErrors: [/40[09]/] })

test('A price is added and changed with the keyboard, and the old one stays in the list', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const world = await openWorld()
  try {
    await page.goto(`${world.url}/settings/prices`)
    await expect(page.getByRole('heading', { name: 'No prices yet' })).toBeVisible()
    await expectGoodLooks(page)

    await page.getByRole('button', { name: 'Add price' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await selectByKeyboard(page, { select: dialog.getByLabel('Card'), value: 'NVIDIA L40S' })
    await selectByKeyboard(page, { select: dialog.getByLabel('vGPU type'), value: 'L40S-12Q' })
    await dialog.getByLabel('Price per hour').fill('0,45')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(/^amount is "0,45", but must be a number/)).toBeVisible()
    await expect(dialog.getByLabel('Price per hour')).toBeFocused()
    await expectGoodLooks(page)
    await dialog.getByLabel('Price per hour').fill('0.45')
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: 'Price list' })
    await expect(table.getByRole('row', { name: /NVIDIA L40S L40S-12Q EUR 0\.45 .* Current/ })).toBeVisible()

    await table.getByRole('button', { name: 'Change price of L40S-12Q' }).press('Enter')
    await dialog.getByRole('button', { name: 'Add price' }).press('Enter')
    await expect(dialog.getByText(/^L40S-12Q already has the price EUR 0\.45/)).toBeVisible()
    await dialog.getByLabel('Price per hour').fill('0.50')
    await page.keyboard.press('Enter')
    await expect(table.getByRole('row', { name: /EUR 0\.50 .* Current/ })).toBeVisible()
    await expect(table.getByRole('row', { name: /EUR 0\.45/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Past prices' }).press('Enter')
    await expect(table.getByRole('row', { name: /EUR 0\.45 .* Replaced/ })).toBeVisible()
    await expect(page).toHaveURL(/past=true/)
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await world.stop()
  }
})
