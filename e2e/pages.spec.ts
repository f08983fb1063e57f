import type { Page } from '@playwright/test'
import { inBothThemes, inEachLook } from './world/looks'
import { expect, test } from './world/test'

const T4 = { host: 'ip-172-31-12-209', address: '0000:f4:00.0' }

const PAGES = [
  { name: 'Overview', path: '/', ready: 'Overview' },
  { name: 'GPUs', path: '/gpus', ready: 'GPUs' },
  { name: 'GPU', path: `/gpus/${T4.host}/${T4.address}`, ready: 'Tesla T4' },
  { name: 'Hosts', path: '/hosts', ready: 'Hosts' },
  { name: 'Host', path: '/hosts/cmp-trouble-01', ready: 'cmp-trouble-01' },
  { name: 'Reboot preview', path: '/hosts/cmp-trouble-01/reboot', ready: 'Reboot of cmp-trouble-01' },
  { name: 'Live migration', path: '/migration', ready: 'Live migration' },
  { name: 'vGPU support', path: '/vgpu-actions', ready: 'vGPU support' },
  { name: 'Headroom for GPUs', path: '/gpu-room', ready: 'Headroom for GPUs' },
  { name: 'Servers', path: '/gpu-servers', ready: 'Servers' },
  { name: 'Capacity', path: '/capacity', ready: 'Capacity' },
  { name: 'Flavors', path: '/flavors', ready: 'Flavors' },
  { name: 'Scenario planner', path: '/scenarios', ready: 'Scenario planner' },
  { name: 'Agents', path: '/settings/agents', ready: 'Agents' },
]

/** Loaded: its heading is there and nothing is on its way any more. */
const settle = async (page: Page, ready: string) => {
  await expect(page.getByRole('heading', { level: 1, name: ready })).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
}

for (const { name, path, ready } of PAGES) {
  test(`${name} fits its screen, shows how old its data is and is accessible`, async ({ page, fleet }) => {
    await page.goto(`${fleet.url}${path}`)
    await settle(page, ready)
    // With the day before it when midnight lies in between.
    const age = page.getByText(/Data from (\d\d:\d\d:\d\d|\d+ \w+, \d\d:\d\d), /).filter({ visible: true })
    await inEachLook(page, async () => {
      await expect.soft(age.first()).toBeVisible()
    })
  })
}

/** Flavors are of the cloud, so without hosts they show what they show without a cloud; Capacity shows when its history begins, and scenarios are saved without hosts. */
const OF_HOSTS = PAGES.filter(
  ({ path }) =>
    !['/flavors', '/capacity', '/scenarios', '/vgpu-actions'].includes(path) &&
    (path.split('/').length < 3 || path.startsWith('/settings')),
)

for (const { name, path, ready } of OF_HOSTS) {
  test(`${name} without any host shows how to add one, accessibly`, async ({ page, empty }) => {
    await page.goto(`${empty.url}${path}`)
    await settle(page, ready)
    await expect(page.getByText(/^Add (your first )?host$|No host reports yet/).first()).toBeVisible()
    await inBothThemes(page)
  })
}

test.describe('what does not exist', () => {
  test.use({ allowedConsoleErrors: [/404/] })

  test('A host and a GPU that do not exist are reported as missing, with a link back', async ({
    page,
    fleet,
  }) => {
    await page.goto(`${fleet.url}/gpus/${T4.host}/0000:00:1f.0`)
    await expect(page.getByRole('heading', { name: 'There is no such pGPU' })).toBeVisible()
    await expect(page.getByText('0000:00:1f.0', { exact: true })).toHaveCount(1)
    await page.goto(`${fleet.url}/hosts/no-such-host`)
    await expect(page.getByRole('heading', { name: 'There is no such host' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'All hosts' }).click()
    await expect(page).toHaveURL(`${fleet.url}/hosts`)
  })
})
