import { a40Host } from '@/simulator/fixtures/a40-host'
import { novaDocumentHost } from '@/simulator/fixtures/nova-document-host'
import { rtxPassthroughHost } from '@/simulator/fixtures/rtx-passthrough-host'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

const QUICKLY_SILENT = { SLICEBOARD_SILENT_AFTER_SECONDS: '5', SLICEBOARD_REPORT_INTERVAL_SECONDS: '2' }

test('When most hosts go silent at once the console reports a silent fleet', async ({ page }) => {
  const world = await openWorld(QUICKLY_SILENT)
  try {
    await world.report([t4SeedHost, a40Host, novaDocumentHost])
    await page.goto(`${world.url}/`)
    await expect(page.getByText('Most hosts are silent:', { exact: true })).toBeVisible({ timeout: 20_000 })
    await expectGoodLooks(page)
    await page.goto(`${world.url}/gpus`)
    await expect(page.getByText(/silent for \d+ s/).first()).toBeVisible()
  } finally {
    await page.close()
    await world.stop()
  }
})

test('Old numbers are grey and can still be read, on a narrow screen too', async ({ page }) => {
  const world = await openWorld(QUICKLY_SILENT)
  try {
    await world.report([t4SeedHost])
    for (const path of [`/gpus/${t4SeedHost.name}/0000:f4:00.0`, '/gpus', `/hosts/${t4SeedHost.name}`]) {
      await page.goto(`${world.url}${path}`)
      await expect(page.getByText(/silent for \d+ s/).first()).toBeVisible({ timeout: 20_000 })
      await expectGoodLooks(page)
    }
  } finally {
    await page.close()
    await world.stop()
  }
})

test('The age of each host is visible in a window of 1440, with silent hosts and passthrough GPUs', async ({
  page,
}) => {
  const world = await openWorld(QUICKLY_SILENT)
  try {
    await world.report([t4SeedHost, rtxPassthroughHost])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${world.url}/hosts`)
    await expect(page.getByText(/silent for \d+ s/)).toHaveCount(2, { timeout: 20_000 })
    await expect(page.getByText('3 passthrough GPUs').first()).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Last seen' })).toBeInViewport({ ratio: 1 })
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await world.stop()
  }
})

test.describe('with the console gone', () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource|ERR_CONNECTION_REFUSED/] })

  test('The last numbers stay, marked as old, and a notice reports the lost connection', async ({ page }) => {
    const world = await openWorld()
    try {
      await world.report([t4SeedHost])
      await page.goto(`${world.url}/gpus`)
      await expect(page.locator('tr[data-index]')).toHaveCount(8)
      // The list itself has come, and not its first rows alone.
      await expect(page.getByRole('button', { name: 'CSV' })).toBeEnabled()
      await world.console.stop()
      await expect(page.getByRole('alertdialog', { name: 'No connection' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^No answer. Data from/ })).toBeVisible()
      await expect(page.locator('tr[data-index]')).toHaveCount(8)
    } finally {
      await page.close()
      await world.stop()
    }
  })
})
