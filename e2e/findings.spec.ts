import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { type CloudWorld, openCloudWorld, signIn } from './world/cloud'
import { downloadLines } from './world/download-lines'
import { inEachLook } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { expect } from './world/test'

const test = withSharedWorld(async () => {
  const world = await openCloudWorld({ SLICEBOARD_READ_INTERVAL_SECONDS: '1' })
  world.openstack.controls.loseRegion()
  world.openstack.controls.addFlavor({ kind: 'suffix' })
  return world
})

/** A separate one, whose services may fail. */
const inCloud = async (page: Page, work: (world: CloudWorld) => Promise<void>): Promise<void> => {
  const world = await openCloudWorld({ SLICEBOARD_READ_INTERVAL_SECONDS: '1' })
  try {
    await work(world)
  } finally {
    await page.close()
    await world.stop()
  }
}

const NO_REGION = 'A registered limit has no region and is not found by Nova'
/** The page polls every ten seconds, and a round must end before. */
const SOON = { timeout: 30_000 }

const group = (page: Page, title: string) => page.getByRole('rowheader', { name: title })
const noRegion = (page: Page) => page.getByRole('row', { name: /class:VGPU is registered without a region/ })

test.describe('an acknowledgement without a reason, which the server refuses', () => {
  test.use({ allowedConsoleErrors: [/400/] })

  test('What is broken in the cloud is found, acknowledged with a note, and open again when that ends', async ({
    page,
    cloud,
  }) => {
    test.setTimeout(120_000)
    await signIn(page, cloud, 'admin', /^System/)
    await page.goto(`${cloud.url}/findings`)
    await expect(group(page, NO_REGION)).toBeVisible(SOON)
    await expect(noRegion(page)).toContainText('Keystone')
    await noRegion(page).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/findings\/\d+$/)
    await expect(page.getByRole('region', { name: 'Evidence' }).getByText('incorrect').first()).toBeVisible()
    expect(await seriousFindings(page)).toEqual([])

    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel('Reason').fill('The region comes with the next release')
    await dialog.getByLabel('Days').fill('3')
    await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await expect(page.getByRole('region', { name: 'State' })).toContainText('The region comes with the next')
    await page.getByRole('button', { name: 'End acknowledgement' }).click()
    await expect(page.getByRole('region', { name: 'History' })).toContainText('Acknowledgement ended')
    await expect(page.getByRole('region', { name: 'State' })).not.toContainText('acknowledged')
    await page.goto(`${cloud.url}/findings`)
    await expect(noRegion(page)).toBeVisible()
  })
})

test('A reader sees every finding and can acknowledge none, and sees why', async ({ page, cloud }) => {
  test.setTimeout(90_000)
  await signIn(page, cloud, 'reader', /^System/)
  await page.goto(`${cloud.url}/findings`)
  await expect(noRegion(page)).toBeVisible(SOON)
  await noRegion(page)
    .getByRole('link', { name: /class:VGPU is registered/ })
    .click()
  const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true })
  await expect(acknowledge).toHaveAttribute('aria-disabled', 'true')
  await acknowledge.hover()
  await expect(page.getByRole('tooltip')).toContainText('you need the role admin')
  await acknowledge.click({ force: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('A muted kind is not counted, is listed with who muted it, and counts again when unmuted', async ({
  page,
  cloud,
}) => {
  test.setTimeout(120_000)
  await signIn(page, cloud, 'admin', /^System/)
  await page.goto(`${cloud.url}/findings`)
  await expect(noRegion(page)).toBeVisible(SOON)
  const badge = page.getByRole('link', { name: /^Findings/ })
  const before = (await badge.textContent()) ?? ''
  await page.getByRole('button', { name: `Mute kind: ${NO_REGION}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Corrected with the next release')
  await dialog.getByLabel('Days').fill('5')
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(noRegion(page)).toHaveCount(0)
  await expect(badge).not.toHaveText(before)
  await page.getByText(/^1 kind muted/).click()
  const muted = page.getByRole('list', { name: 'Muted kinds' })
  await expect(muted).toContainText('Corrected with the next release')
  await expect(muted).toContainText('Muted by admin')
  expect(await seriousFindings(page)).toEqual([])
  await muted.getByRole('link', { name: NO_REGION }).click()
  await expect(noRegion(page)).toContainText('muted')
  await page
    .getByRole('row', { name: new RegExp(NO_REGION) })
    .getByRole('button', { name: `Unmute: ${NO_REGION}` })
    .click()
  await page.goto(`${cloud.url}/findings`)
  await expect(noRegion(page)).toBeVisible()
  await expect(badge).toHaveText(before)
})

test('The filter is in the address, no match can be cleared, and the CSV has what is shown', async ({
  page,
  cloud,
}) => {
  test.setTimeout(90_000)
  await signIn(page, cloud, 'admin', /^System/)
  await page.goto(`${cloud.url}/findings`)
  await expect(noRegion(page)).toBeVisible(SOON)
  await page.getByRole('button', { name: /^Source to correct/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /Keystone/ }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/sourceToCorrect=keystone/)
  await page.reload()
  await expect(noRegion(page)).toBeVisible()
  await expect(page.getByRole('row', { name: /spoilt\.suffix/ })).toHaveCount(0)
  const shown = await page.locator('tr[data-index]').count()
  const lines = await downloadLines(page, 'CSV')
  expect(lines).toHaveLength(shown + 1)
  expect(lines.join('\n')).toContain('limit-region-null')
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('searchbox', { name: /Filter by word/ }).fill('zzz-no-such')
  await expect(page.getByRole('heading', { name: 'No finding matches the filter' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page.getByRole('row', { name: /spoilt\.suffix/ }).first()).toBeVisible()
})

test('A kind with many findings is shown page by page, searched, and complete in the CSV', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await inCloud(page, async (world) => {
    for (let number = 100; number < 220; number += 1)
      world.openstack.controls.addFlavor({ kind: 'suffix', value: `many.${number}` })
    await signIn(page, world, 'admin', /^System/)
    await page.goto(`${world.url}/findings`)
    const rows = page.getByRole('row', { name: /many\.\d+/ })
    await expect(page.getByRole('button', { name: /^Show more of 12\d$/ })).toBeVisible(SOON)
    expect(await page.locator('main *').count()).toBeLessThan(1500)
    await page.getByRole('button', { name: /^Show more of 12\d$/ }).click()
    await expect(page).toHaveURL(/code=/)
    await expect(rows).toHaveCount(40)
    await page.getByRole('button', { name: /^Show more of/ }).click()
    await expect(rows).toHaveCount(80)
    const lines = await downloadLines(page, 'CSV')
    expect(lines.filter((line) => line.includes('many.')).length).toBeGreaterThanOrEqual(120)
    await page.getByRole('searchbox', { name: /Filter by word/ }).fill('many.217')
    await expect(rows).toHaveCount(1)
    expect(await seriousFindings(page)).toEqual([])
  })
})

test('One service down is shown with its old data, and the rest is current', async ({ page }) => {
  test.setTimeout(90_000)
  await inCloud(page, async (world) => {
    await signIn(page, world, 'admin', /^System/)
    await page.goto(`${world.url}/settings/cloud`)
    const lists = page.getByRole('region', { name: 'Data from OpenStack' })
    await expect(lists.getByRole('row', { name: /^Resource providers/ })).toContainText('fresh', SOON)
    world.openstack.controls.breakApi({ service: 'placement' })
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Placement does not return resource providers', SOON)
    await expect(lists.getByRole('row', { name: /^Resource providers/ })).toContainText('old')
    await expect(lists.getByRole('row', { name: /^Servers/ })).toContainText('fresh')
    expect(await seriousFindings(page)).toEqual([])
    world.openstack.controls.repairApi({ service: 'placement' })
    await expect(alert).toHaveCount(0, SOON)
  })
})

for (const { path, text } of [
  { path: '/findings', text: 'OpenStack has not been read yet' },
  { path: '/quotas', text: 'OpenStack has not been read yet' },
  { path: '/settings/cloud', text: 'OpenStack has not been read yet' },
]) {
  test(`${path} without a cloud shows how to connect one`, async ({ page, fleet }) => {
    await page.goto(`${fleet.url}${path}`)
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
    await expect(page.getByText('docs/operating.md')).toBeVisible()
    await inEachLook(page)
  })
}

test.describe('what does not exist', () => {
  test.use({ allowedConsoleErrors: [/404/] })

  test('A finding that does not exist is reported with a link back', async ({ page, fleet }) => {
    await page.goto(`${fleet.url}/findings/999999`)
    await expect(page.getByRole('heading', { name: 'There is no such finding' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'All findings' }).click()
    await expect(page).toHaveURL(`${fleet.url}/findings`)
  })
})
