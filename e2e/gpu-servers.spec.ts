import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { downloadLines } from './world/download-lines'
import { inEachLook } from './world/looks'
import { inReportedCloud, openReportedCloud } from './world/reported-cloud'
import { withSharedWorld } from './world/shared-world'
import { test as alone, expect } from './world/test'

const test = withSharedWorld(() => openReportedCloud({ hostCount: 2 }))

const SOON = { timeout: 30_000 }

const table = (page: Page) => page.getByRole('table', { name: 'Servers with a GPU' })
const rows = (page: Page) => table(page).getByRole('row')

test('Servers are opened from the navigation, filtered, sorted and downloaded as CSV', async ({
  page,
  cloud,
}) => {
  test.setTimeout(90_000)
  await page.goto(cloud.url)
  await page.getByRole('navigation').getByRole('link', { name: 'Servers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  await expect(rows(page).nth(1)).toContainText('ACTIVE', SOON)
  await expect(rows(page).nth(1)).toContainText('A40-4Q')
  await inEachLook(page)

  const host = (await rows(page).nth(1).getByRole('link', { name: /^cmp-/ }).textContent()) ?? ''
  await page.getByRole('searchbox', { name: /Filter by server/ }).fill(host)
  await expect(page).toHaveURL(/q=cmp-/)
  const headers = page.getByRole('columnheader', { name: 'Server' })
  await headers.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(headers).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/desc=true/)
  const status = page.getByRole('status').filter({ hasText: 'found' })
  // The rows of the whole list are shown until those of the filter have come.
  await expect(status).not.toHaveText(/^(\d+) of \1 /)
  const found = await status.textContent()
  const lines = await downloadLines(page, 'CSV')
  expect(lines[0]).toContain('uuid,server,status,guest_state,project')
  expect(lines).toHaveLength(Number(found?.split(' ')[0]) + 1)
  expect(await seriousFindings(page)).toEqual([])

  await rows(page)
    .nth(1)
    .getByRole('link', { name: /^0000:/ })
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`/gpus/${host}/0000:`))
})

test('A filter that no server matches is named and cleared', async ({ page, cloud }) => {
  await page.goto(`${cloud.url}/gpu-servers?q=no-such-server`)
  await expect(page.getByRole('heading', { name: 'No server matches the filter' })).toBeVisible(SOON)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(rows(page).nth(1)).toBeVisible()
})

test('A column of the servers stays hidden in the address', async ({ page, cloud }) => {
  await page.goto(`${cloud.url}/gpu-servers?hide=project`)
  await expect(page.getByRole('columnheader', { name: 'Flavor' })).toBeVisible(SOON)
  await expect(page.getByRole('columnheader', { name: 'Project' })).toHaveCount(0)
})

alone(
  'Without a cloud the servers of the hosts’ reports are listed, with an unknown status',
  async ({ page, fleet }) => {
    await page.goto(`${fleet.url}/gpu-servers`)
    await expect(page.getByRole('list', { name: 'Unknown or outdated' })).toContainText(
      'could not be read',
      SOON,
    )
    await expect(rows(page).nth(1)).toContainText('guest running')
    await expect(page.getByText(/unknown: Nova's servers could not be read/).first()).toBeAttached()
  },
)

alone('While Nova does not respond, the last servers are shown as outdated @long', async ({ page }) => {
  alone.setTimeout(180_000)
  await inReportedCloud({ page, hostCount: 2 }, async (world) => {
    await page.goto(`${world.url}/gpu-servers`)
    await expect(rows(page).nth(1)).toContainText('ACTIVE', SOON)
    world.openstack.controls.breakApi({ service: 'nova', kind: '503' })
    await expect(page.getByRole('list', { name: 'Unknown or outdated' })).toContainText(
      'unknown or outdated',
      {
        timeout: 90_000,
      },
    )
    await expect(rows(page).nth(1)).toContainText('ACTIVE')
  })
})
