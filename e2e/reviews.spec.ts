import type { Page } from '@playwright/test'
import { OCTOBER } from '@/lib/domain/review/testing/october'
import { expectGoodLooks, overflow } from './world/looks'
import { expect, test } from './world/test'

const FINGERPRINT = 'f3c188a05e27'.padEnd(64, '0')

/** A frozen October, as the console answers with one; history that ended months ago takes too long to make here. */
const answerOctober = (page: Page) =>
  page.route('**/api/v1/reviews/7', (route) =>
    route.fulfill({
      json: {
        cloud: OCTOBER.cloud,
        region: 'RegionOne',
        frozen: { id: 7, madeAt: '2026-11-02T08:00:00.000Z', madeBy: 'system', fingerprint: FINGERPRINT },
        closesAt: null,
        content: OCTOBER,
      },
    }),
  )

/** Pages of a PDF: each is a separate object. */
const pageCount = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

test.describe('a review', () => {
  // The page's own server knows no review 7.
  test.use({ allowedConsoleErrors: [/404/] })

  test('A frozen review fits a screen, and a sheet of A4 as PDF', async ({ page, empty }) => {
    await answerOctober(page)
    await page.goto(`${empty.url}/capacity/reviews/7`)
    const sheet = page.getByRole('article', { name: 'GPU capacity, October 2026' })
    await expect(sheet).toContainText('made 2026-11-02 09:00 by the console, numbers frozen')
    await expect(sheet.getByText('f3c1 88a0 5e27')).toHaveAttribute('title', new RegExp(FINGERPRINT))
    await expect(sheet.getByRole('img', { name: 'vGPUs used and capacity, October 2026' })).toBeVisible()
    const json = page.getByRole('link', { name: 'JSON' })
    await expect(json).toHaveAttribute('href', '/api/v1/reviews/7/export?format=json')
    for (const part of await sheet.getByRole('region').all()) {
      const box = await part.boundingBox()
      expect(box?.height).toBeLessThan(900)
      expect(
        await part.evaluate((element) => element.scrollHeight - element.clientHeight),
      ).toBeLessThanOrEqual(0)
    }
    expect(pageCount(await page.pdf({ preferCSSPageSize: true }))).toBe(1)

    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
    await expect(sheet.getByText(FINGERPRINT)).toBeVisible()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.emulateMedia({ media: 'screen' })
    await expectGoodLooks(page)
  })

  test('A review that is not there has nothing to print or to save', async ({ page, empty }) => {
    await page.goto(`${empty.url}/capacity/reviews/7`)
    await expect(page.getByText('There is no review 7.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'CSV' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
  })
})

test.describe('a preview', () => {
  test.use({ allowedConsoleErrors: [/412/] })

  test('Before there is any history there is nothing to preview and nothing to print', async ({
    page,
    empty,
  }) => {
    await page.goto(`${empty.url}/capacity/reviews/preview?period=${new Date().toISOString().slice(0, 7)}`)
    await expect(page.getByRole('heading', { name: 'Nothing to preview yet' })).toBeVisible()
    await expect(page.getByText('its history begins with the first report of a host')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
    await expectGoodLooks(page)
  })
})

test('Before there is any history the list of reviews shows when the first one comes', async ({
  page,
  empty,
}) => {
  await page.goto(`${empty.url}/capacity/reviews`)
  await expect(page.getByRole('heading', { name: 'No history yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Capacity', exact: true }).last().click()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await expect(page).toHaveURL(`${empty.url}/capacity/reviews`)
  await expectGoodLooks(page)
})
