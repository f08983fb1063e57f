import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { inEachLook } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

const inConsole = async (page: Page, work: (url: string) => Promise<void>): Promise<void> => {
  const world = await openWorld()
  try {
    await work(world.url)
  } finally {
    await page.close()
    await world.stop()
  }
}

const entries = (page: Page) => page.getByRole('table', { name: 'Audit' }).getByRole('row')

test('Audit entries are found, opened, verified and downloaded as a file', async ({ page }) => {
  await inConsole(page, async (url) => {
    const made = await page.request.post(`${url}/api/v1/join-tokens`, {
      data: { cloud: 'paris-prod', label: 'rack 4', lifetimeMinutes: 60, maxUses: 2, hostName: null },
    })
    expect(made.status()).toBe(201)
    await page.goto(`${url}/settings/audit`)
    const row = entries(page).filter({ hasText: 'Created a join token' })
    await expect(row).toContainText('join-token:1')
    await row.getByRole('button', { name: /before and after/ }).press('Enter')
    await expect(page.getByText('"label": "rack 4"')).toBeVisible()
    await inEachLook(page)

    await page.getByRole('button', { name: 'Verify hash chain' }).click()
    await expect(page.getByText(/The chain is valid: 2 entries/)).toBeVisible()

    await page.getByRole('searchbox', { name: 'Filter by actor' }).fill('local')
    await expect(page).toHaveURL(/who=local/)
    await expect(entries(page).filter({ hasText: 'Cloud first seen' })).toHaveCount(0)
    await expect(row).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV of the matching entries' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.split('\r\n')).toHaveLength(3)
    expect(file).toContain('user:local-admin,join-token.create,join-token:1')

    await page.getByLabel('until').fill('2020-01-01')
    await expect(page.getByRole('heading', { name: 'No entry matches the filter' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(row).toBeVisible()
  })
})
