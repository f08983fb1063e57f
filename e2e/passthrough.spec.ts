import { rtxPassthroughHost } from '@/simulator/fixtures/rtx-passthrough-host'
import { openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

const HOST = 'gpu-whole-01'
const SOON = { timeout: 120_000 }

test('A whole card is one cell, with its IOMMU group and what keeps it from guests', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus/${HOST}/0000:b3:00.0`)
  await expect(page.getByRole('heading', { level: 1, name: /Quadro RTX 6000/ })).toBeVisible()
  const cells = page.getByRole('region', { name: 'vGPUs' })
  await expect(cells.getByRole('heading', { name: 'whole card' })).toBeVisible()
  await expect(page.getByLabel('Numbers of this pGPU')).toContainText('Capacity1')
  const identity = page.getByRole('region', { name: 'Identity' })
  await expect(identity).toContainText('10de:1e30')
  await expect(identity).toContainText('device_spec')
  await expect(identity.getByRole('listitem').filter({ hasText: '0000:b3:00.1' })).toContainText(
    'bound to snd_hda_intel, prevents passthrough of the group',
  )
  await expect(identity.getByRole('listitem').filter({ hasText: '0000:b3:00.3' })).toContainText(
    'no driver bound',
  )
  await expect(page.getByText(/IOMMU group 52 is not isolated/i).first()).toBeVisible()
  await expectGoodLooks(page)
})

test('A whole card in use names its guest, and its isolated group is shown', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus/${HOST}/0000:65:00.0`)
  await expect(page.getByRole('region', { name: 'Identity' })).toContainText(
    'yes, no host driver uses another device of its group',
  )
  await page.getByRole('tab', { name: /^vGPUs/ }).click()
  await expect(page.getByRole('region', { name: 'Guests' })).toContainText('render-node-1')
})

test('A host shows device_spec and alias with their lines, and how to look on the API', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts/${HOST}?tab=sources`)
  const panel = page.getByRole('region', { name: 'PCI passthrough' })
  const alias = panel.getByRole('row', { name: /rtx6000/ })
  await expect(alias).toContainText('10de:1e30, type-PCI')
  await expect(alias).toContainText(/nova-compute\/nova\.conf:\d+/)
  await expect(alias).toContainText('unknown')
  await expect(panel.getByRole('row', { name: /product_id 1024/ })).toContainText('0000:17:00.0')
  await expect(panel).toContainText('no agent reports from a host of Nova')
  await expect(panel.getByText(/grep -E/)).toBeVisible()
  await expectGoodLooks(page)
})

test.describe('aliases that an admin configures', () => {
  test.use({ allowedConsoleErrors: [/400/] })

  test('Without an agent on Nova’s API an admin configures its aliases once, and removes them', async ({
    page,
  }) => {
    test.setTimeout(300_000)
    const world = await openWorld()
    try {
      await world.report([rtxPassthroughHost])
      await page.goto(`${world.url}/settings/cloud`)
      const panel = page.getByRole('region', { name: 'PCI aliases of Nova’s API' })
      const lines = panel.getByLabel('[pci] section of nova.conf on nova-api hosts')
      await expect(lines).toBeVisible(SOON)
      await lines.fill("alias = {'name': 'rtx6000'}")
      await panel.getByRole('button', { name: 'Save aliases' }).press('Enter')
      await expect(panel).toContainText(
        'Line 1: the alias is refused, it is not JSON. Nova then refuses every alias.',
        SOON,
      )
      await lines.fill(
        '[pci]\nalias = {"name": "rtx6000", "vendor_id": "10de", "product_id": "1e30", "device_type": "type-PCI"}',
      )
      await panel.getByRole('button', { name: 'Save aliases' }).press('Enter')
      await expect(panel.getByRole('row', { name: /rtx6000/ })).toContainText('local-admin', SOON)
      await expectGoodLooks(page)
      await page.goto(`${world.url}/hosts/${HOST}?tab=sources`)
      const alias = page
        .getByRole('region', { name: 'PCI passthrough' })
        .getByRole('row', { name: /rtx6000.*the same/ })
      await expect(alias).toBeVisible(SOON)

      await page.goto(`${world.url}/settings/cloud`)
      await panel.getByRole('button', { name: 'Delete the entered aliases' }).press('Enter', SOON)
      await page.getByRole('button', { name: 'Delete aliases' }).press('Enter', SOON)
      await expect(panel.getByRole('row', { name: /rtx6000/ })).toHaveCount(0, SOON)
    } finally {
      await page.close()
      await world.stop()
    }
  })
})

test("With an agent on Nova's API an alias that it lacks is shown, and passthrough of a card is planned", async ({
  page,
}) => {
  test.setTimeout(400_000)
  const cloud = await openFleetCloud(['cmp-r7-05', 'cmp-r6-04', 'cmp-r2-06'], { isStill: true })
  try {
    await page.goto(`${cloud.url}/hosts/cmp-r6-04?tab=sources`)
    const panel = page.getByRole('region', { name: 'PCI passthrough' })
    await expect(panel.getByRole('row', { name: /^mi210/ })).toContainText('missing', SOON)
    await page.goto(`${cloud.url}/findings`)
    await expect(page.getByText(/The PCI alias mi210 .* is missing/).first()).toBeVisible(SOON)

    await page.goto(`${cloud.url}/gpus/cmp-r2-06/0000:21:00.0`)
    await page.getByRole('link', { name: 'Configure PCI passthrough' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Configure PCI passthrough' })).toBeVisible()
    await page.getByRole('checkbox', { name: /^Allow flavors to lose/ }).check()
    await expect(page.getByText('Bind cmp-r2-06 0000:21:00.0 to vfio-pci').first()).toBeVisible(SOON)
    await expect(page.getByText(/Nova's API on cmp-r7-05 has the alias t4/).first()).toBeVisible()
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await cloud.stop()
  }
})
