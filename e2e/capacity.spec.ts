import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

const HOST = 'cmp-r2-07'

const ask = async (page: Page, { url }: Pick<FleetCloud, 'url'>, by: string): Promise<Capacity> =>
  (await (await page.request.get(`${url}/api/v1/capacity?by=${by}`)).json()) as Capacity

test('What was used is drawn over time, group by group, as a table and as files', async ({ page }) => {
  test.setTimeout(240_000)
  const cloud = await openFleetCloud([HOST], { isStill: true, isGoing: true, silentAfterSeconds: 5 })
  try {
    const used = async () =>
      (await ask(page, cloud, 'all')).series[0]?.used.findLast((value) => value !== null)
    await expect.poll(used, { timeout: 120_000 }).toBeGreaterThan(0)
    const [type] = (await ask(page, cloud, 'type')).series
    if (type === undefined) throw new Error('the history has no type')

    await page.goto(`${cloud.url}/capacity?days=7`)
    const whole = page.getByRole('region', { name: 'All vGPUs' })
    await expect(whole.getByRole('img', { name: /^All vGPUs/ })).toBeVisible()
    await expect(whole.locator('svg path.recharts-area-area').first()).toBeAttached()
    const figures = page.getByLabel('In this time', { exact: true })
    await expect(figures).toContainText(String(Math.round((await used()) ?? 0)))

    await page.getByRole('button', { name: type.label, exact: true }).press('Enter')
    await expect(page).toHaveURL(/key=/)
    const chosen = page.getByRole('region', { name: type.label, exact: true })
    await chosen.getByRole('button', { name: 'As a table' }).press('Enter')
    await expect(chosen.getByRole('table', { name: 'Points of the chart' })).toContainText('UTC')
    await chosen.getByRole('button', { name: 'As a chart' }).press('Enter')

    const csv = page.waitForEvent('download')
    await chosen.getByRole('link', { name: 'CSV' }).click()
    expect(readFileSync((await (await csv).path()) ?? '', 'utf8')).toContain(type.label)
    for (const [name, start] of [
      ['SVG', '<svg'],
      ['PNG', '\u0089PNG'],
    ] as const) {
      const download = page.waitForEvent('download')
      await chosen.getByRole('button', { name }).press('Enter')
      expect(readFileSync((await (await download).path()) ?? '', 'latin1').slice(0, 4)).toBe(start)
    }

    await page.getByRole('button', { name: 'Hold these dates' }).press('Enter')
    await expect(page).toHaveURL(/from=.*until=/)
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test('Without any history the page says when it begins', async ({ page, empty }) => {
  await page.goto(`${empty.url}/capacity`)
  await expect(page.getByRole('heading', { name: 'No history yet' })).toBeVisible()
  await expectGoodLooks(page)
})
