import type { Page } from '@playwright/test'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { inEachLook } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { test as base, expect } from './world/test'

/** cmp-r1-02 has an old kernel, -04 is full, -07 another driver; -03 and -05 can move to each other. */
const HOSTS = ['cmp-r1-02', 'cmp-r1-03', 'cmp-r1-04', 'cmp-r1-05', 'cmp-r1-07', 'cmp-r5-01']
/** The page polls every ten seconds, and a round must end before. */
const SOON = { timeout: 30_000 }

const test = withSharedWorld(() => openFleetCloud(HOSTS))

const matrix = (page: Page) => page.getByRole('grid', { name: /^Live migration of T4-1Q/ })
const cell = (page: Page, from: string, to: string) =>
  matrix(page).getByRole('gridcell', { name: new RegExp(`^${from} to ${to}: `) })

/** Opens the matrix when the cloud has been read. */
const openMatrix = async (page: Page, { url }: FleetCloud, search = '') => {
  await page.goto(`${url}/migration${search}`)
  await expect(cell(page, 'cmp-r1-03', 'cmp-r1-05')).toHaveAccessibleName(/: Possible(,|$)/, SOON)
}

test('The matrix shows from which host to which a server can be moved, and why not', async ({
  page,
  cloud,
}) => {
  await openMatrix(page, cloud)
  await expect(cell(page, 'cmp-r1-03', 'cmp-r1-04')).toHaveAccessibleName(/: Not now/)
  await expect(cell(page, 'cmp-r1-03', 'cmp-r1-02')).toHaveAccessibleName(/: Blocked, 1 reason/)
  await expect(cell(page, 'cmp-r1-07', 'cmp-r1-03')).toHaveAccessibleName(/: Blocked/)
  await expect(matrix(page).getByRole('gridcell', { name: 'the same host' })).toHaveCount(5)
  await expect(page.getByRole('region', { name: 'Blockers' })).toContainText(
    'Has kernel 5.15.0-113-generic, but 5.18 is required',
  )
  await inEachLook(page)
})

test('Arrow keys go through the matrix, Enter chooses a cell, and the address keeps it', async ({
  page,
  cloud,
}) => {
  await openMatrix(page, cloud)
  await cell(page, 'cmp-r1-03', 'cmp-r1-02').focus()
  await expect(page.getByRole('tooltip')).toContainText(
    'cmp-r1-02 has kernel 5.15.0-113-generic, but 5.18 is required',
  )
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, 'cmp-r1-03', 'cmp-r1-04')).toBeFocused()
  await page.keyboard.press('Enter')
  const chosen = page.getByRole('region', { name: 'Selected migration' })
  await expect(chosen).toContainText('cmp-r1-04 has no free vGPU of the type')
  await expect(page).toHaveURL(/from=cmp-r1-03&to=cmp-r1-04/)
  await page.reload()
  await expect(chosen).toContainText('Not now')
  await chosen.getByRole('button', { name: 'Close the selected migration' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await cell(page, 'cmp-r1-02', 'cmp-r1-03').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'cmp-r1-02' })).toBeVisible()
})

test('The matrix is narrowed by host and drawn by kind of host, and the address has that state', async ({
  page,
  cloud,
}) => {
  await openMatrix(page, cloud)
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('r1-03')
  await expect(matrix(page).getByRole('rowheader', { name: /cmp-r1/ })).toHaveCount(1)
  await expect(page).toHaveURL(/q=r1-03/)
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('zzz')
  await expect(page.getByRole('heading', { name: 'No host matches the filter' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByRole('button', { name: 'Group equal hosts' }).click()
  await expect(page).toHaveURL(/by=kind/)
  await expect(matrix(page)).toBeVisible()
  await page.getByRole('button', { name: /^vGPU type/ }).click()
  await page.getByRole('menuitemradio', { name: /A100-10C/ }).click()
  await expect(page).toHaveURL(/type=nvidia-471/)
  await expect(page.getByText('Only one host has this type, so there is no target host.')).toBeVisible()
})

test('A host shows server by server what a reboot would take, and what to do before', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/hosts/cmp-r1-03`)
  const panel = page.getByRole('region', { name: 'After a reboot' })
  await expect(panel).toContainText(/\d+ of \d+ servers will not start/)
  await panel.getByRole('link', { name: 'View servers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reboot of cmp-r1-03' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'nova-compute' })).toContainText('nova-compute starts', SOON)
  const row = page.getByRole('table', { name: 'Servers after a reboot' }).getByRole('row').nth(1)
  await expect(row).toContainText('Will not start')
  await expect(row).toContainText('Its mdev is not defined')
  await expect(row).toContainText('mdevctl define --auto --uuid')
  await inEachLook(page)
})

test('mdevs that are recreated at boot are listed separately, with the commands that undefine them', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/hosts/cmp-r5-01/reboot`)
  const unwanted = page.getByRole('region', { name: 'Recreated at boot' })
  await expect(unwanted.getByText('mdevctl undefine --uuid')).toHaveCount(3)
  await expect(unwanted).toContainText('A100-5C')
})

base(
  'What breaks is found on the host and counted, and closes automatically when it is repaired @long',
  async ({ page }) => {
    base.setTimeout(150_000)
    const cloud = await openFleetCloud(['cmp-r1-05'])
    try {
      await page.goto(`${cloud.url}/hosts/cmp-r1-05`)
      const findings = page.getByRole('region', { name: 'Findings' })
      const stale = /_pci_0000_fe_00_0/
      await expect(page.getByRole('region', { name: 'After a reboot' })).toBeVisible()
      await expect(findings.getByText(stale)).toHaveCount(0)
      cloud.openstack.controls.addStaleProvider({ host: 'cmp-r1-05' })
      await expect(findings.getByText(stale).first()).toBeVisible(SOON)
      const link = page.getByRole('link', { name: /^Findings\W+\d+ (error|warning)s?.* open$/ })
      await expect(link).toBeVisible(SOON)
      await findings
        .getByRole('listitem')
        .filter({ hasText: stale })
        .getByRole('link', { name: /without a device/ })
        .first()
        .click()
      const state = page.getByRole('region', { name: 'State' })
      await expect(state).toContainText('open')
      await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('Placement')
      cloud.openstack.controls.heal()
      await expect(state).toContainText('closed', SOON)
      await expect(page.getByRole('region', { name: 'History' })).toContainText('Resolved')
      await page.goto(`${cloud.url}/hosts/cmp-r1-05`)
      await expect(page.getByRole('region', { name: 'After a reboot' })).toBeVisible()
      await expect(findings.getByText(stale)).toHaveCount(0)
    } finally {
      await page.close()
      await cloud.stop()
    }
  },
)

test('Headings of the GPUs are complete above their columns in windows of every width', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/gpus?q=cmp-r5-01&group=aggregate`)
  const rows = page.locator('tr[data-index]')
  await expect(rows.getByText(/^Placement \d/).first()).toBeVisible(SOON)
  for (const width of [768, 800, 1023, 1024, 1180, 1279, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('button', { name: 'Placement', exact: true })).toBeVisible()
    const laidOut = await page.getByRole('grid', { name: 'pGPUs' }).evaluate((grid) => {
      const endOf = (node: Element | null) => {
        const range = document.createRange()
        if (node !== null) range.selectNodeContents(node)
        return Math.round(range.getBoundingClientRect().right)
      }
      const buttons = [...grid.querySelectorAll('th button')]
      const cut = [...grid.querySelectorAll('th[scope="col"], .gpu-host, .gpu-used .block')]
        .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ textContent }) => textContent)
      return {
        cut,
        inOneAnother: buttons
          .filter((one, at) => at > 0 && endOf(buttons[at - 1] ?? null) > one.getBoundingClientRect().left)
          .map(({ textContent }) => textContent),
        usedFromNumbers:
          endOf(buttons.find(({ textContent }) => textContent === 'Used') ?? null) -
          endOf(grid.querySelector('.gpu-used')),
      }
    })
    expect([width, laidOut]).toEqual([width, { cut: [], inOneAnother: [], usedFromNumbers: 0 }])
  }
})

test('The tools of the GPUs stay in one line when they are grouped or narrowed', async ({ page, cloud }) => {
  for (const search of ['?group=aggregate', '?q=cmp-r1']) {
    await page.goto(`${cloud.url}/gpus${search}`)
    const filter = page.getByRole('searchbox')
    const csv = page.getByRole('button', { name: 'CSV of the rows shown' })
    await expect(page.getByRole('button', { name: /^Aggregate/ })).toBeVisible(SOON)
    expect((await csv.boundingBox())?.y).toBe((await filter.boundingBox())?.y)
  }
})
