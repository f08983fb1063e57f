import { inEachLook, overflow } from './world/looks'
import { expect, test } from './world/test'

test('Help leads to the document about the page, whose links and pictures stay in the console', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/findings`)
  await page.getByRole('link', { name: 'Help' }).click()
  await expect(page).toHaveURL(/\/help\/findings/)
  await expect(page.getByRole('heading', { level: 1, name: 'Findings' })).toBeVisible()
  await page.getByRole('link', { name: 'All documents' }).click()
  await page.getByRole('main').getByRole('link', { name: 'features and a tour' }).click()
  await expect(page).toHaveURL(/\/help\/features/)
  const picture = page.getByRole('img').first()
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100)
  await page.getByRole('main').getByRole('link', { name: 'glossary' }).first().click()
  await expect(page.getByRole('table').first()).toBeVisible()
  await expect(page.locator('article')).not.toContainText('| ---')
  await inEachLook(page)
})

test('A document that does not exist, or is none, is reported as missing', async ({ page, fleet }) => {
  for (const path of ['nothing', '..%2f..%2fpackage', 'images/gpus-light.png']) {
    const answer = await page.request.get(`${fleet.url}/help/${path}`)
    expect([path, answer.status()]).toEqual([path, 404])
  }
  const picture = await page.request.get(`${fleet.url}/api/v1/help-images/..%2fREADME.md`)
  expect(picture.status()).toBe(404)
})

test('The key ? lists the shortcuts, closes with Escape, and is a text in a field', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  // The keys work from then on.
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.locator('tr[data-index]').first().focus()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog.getByText('Search or run a command')).toBeVisible()
  await inEachLook(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('tr[data-index]').first()).toBeFocused()
  const filter = page.getByRole('searchbox', { name: /Filter by host/ })
  await filter.focus()
  await page.keyboard.press('?')
  await expect(filter).toHaveValue('?')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(dialog).toBeVisible()
})

test('Times switch to UTC and back on every page, and stay so', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/hosts`)
  const zone = page.getByRole('button', { name: /^Times in/ })
  await expect(zone).toHaveText('Times in Europe/Paris')
  const seen = page.locator('tbody time').first()
  await expect(seen).toHaveAttribute('title', / Europe\/Paris$/)
  const hourOf = async () => Number(/ (\d\d):/.exec((await seen.getAttribute('title')) ?? '')?.[1])
  const inParis = await hourOf()
  await zone.press('Enter')
  await expect(zone).toHaveText('Times in UTC')
  await expect(seen).toHaveAttribute('title', / UTC$/)
  expect([1, 2, -22, -23]).toContain(inParis - (await hourOf()))
  await page.goto(`${fleet.url}/capacity?days=7`)
  await expect(zone).toHaveText('Times in UTC')
  await expect(page.getByRole('button', { name: /Time zone/ })).toContainText('UTC')
  await zone.click()
  await expect(zone).toHaveText('Times in Europe/Paris')
})

test('On a phone the navigation has the zone, the help and the shortcuts', async ({ page, fleet }) => {
  await page.setViewportSize({ width: 390, height: 760 })
  await page.goto(`${fleet.url}/help/settings`)
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Help' }).click()
  await expect(page).toHaveURL(/\/help(\?|$)/)
})
