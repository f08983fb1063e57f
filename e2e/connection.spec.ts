import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { fillSignIn, openCloudWorld, signIn } from './world/cloud'
import { inEachLook } from './world/looks'
import { expect, test } from './world/test'

test.use({ allowedConsoleErrors: [/Failed to load resource|ERR_INTERNET_DISCONNECTED|401/] })

const lost = (page: Page) => page.getByRole('alertdialog', { name: 'No connection' })
const filterOf = (page: Page) => page.getByRole('searchbox', { name: /Filter by host/ })

test('A lost connection is reported within 5 s, keeps the page and its input, and ends without a reload', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  const row = page.locator('tr[data-index]').filter({ hasText: 'gpu-a40-01' }).first()
  await filterOf(page).fill('gpu-a40')
  await expect(row).toBeVisible()
  await page.context().setOffline(true)
  await expect(lost(page)).toBeVisible({ timeout: 5000 })
  await inEachLook(page)
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await expect(page).toHaveURL(/\/gpus/)
  await expect(row).toBeVisible()
  await expect(filterOf(page)).toHaveValue('gpu-a40')
  await expect(page.getByText('could not be refreshed')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(lost(page)).toHaveCount(0)
  await expect(filterOf(page)).toHaveValue('gpu-a40')
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await expect(page).toHaveURL(/\/changes/)
})

test('Polls that fail report the lost connection within 5 s, once, while the browser is online', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts`)
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await expect(lost(page)).toBeVisible({ timeout: 5000 })
  await expect(page.getByText('could not be refreshed')).toHaveCount(0)
  await page.unroute('**/api/**')
  await expect(lost(page)).toHaveCount(0)
})

test('A session that ended is reported once, and leads back to path and query', async ({
  page,
  elsewhere: openElsewhere,
}) => {
  const cloud = await openCloudWorld()
  try {
    const elsewhere = await openElsewhere()
    await signIn(elsewhere, cloud, 'admin', /^System/)
    await signIn(page, cloud, 'admin', /^System/)
    await page.goto(`${cloud.url}/hosts?q=cmp`)
    await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible()
    await elsewhere.request.delete(`${cloud.url}/api/v1/sessions?which=others`, {
      headers: { origin: cloud.url },
    })
    const notice = page.getByRole('alertdialog', { name: 'Signed out' })
    await expect(notice).toContainText('This session was ended from another one of yours.')
    await expect(page.getByText('could not be refreshed')).toHaveCount(0)
    expect(await seriousFindings(page)).toEqual([])
    await notice.getByRole('link', { name: 'Sign in again' }).click()
    await expect(page.getByRole('status')).toContainText('ended from another one of yours')
    await fillSignIn(page, 'admin')
    await page.getByRole('button', { name: /^System/ }).click()
    await expect(page).toHaveURL(`${cloud.url}/hosts?q=cmp`)
  } finally {
    await page.close()
    await cloud.stop()
  }
})
