import type { Page } from '@playwright/test'
import { overviewSchema } from '@/lib/schemas/api/fleet'
import { openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

test.describe.configure({ timeout: 240_000 })

/** vGPUs of several types, and GPUs for passthrough. */
const HOSTS = ['cmp-r2-07', 'cmp-r5-01', 'cmp-r7-01']
const SOON = { timeout: 60_000 }
/** Of the total capacity, except what guests use. */
const PARTS = ['Reusable', 'Free', 'Blocked', 'Unknown']

/** The figures of a strip by their labels, as a person reads them: `In use` is `12`. */
const figuresOf = async (page: Page, label: string): Promise<Map<string, string>> => {
  const strip = page.getByLabel(label, { exact: true })
  await expect(strip).toBeVisible(SOON)
  const labels = await strip.locator('dt').allInnerTexts()
  const figures = await strip.locator('dd .figure').allInnerTexts()
  return new Map(labels.map((name, index) => [name.trim(), figures[index]?.trim() ?? '']))
}

/** The reasons for blocked capacity open and close with the keyboard. */
const expectReasons = async (page: Page): Promise<void> => {
  const reason = page.getByText('held by orphaned mdevs')
  await expect(reason).toBeHidden()
  await page
    .getByLabel('Totals of the pGPUs shown', { exact: true })
    .getByText(/\d+ orphaned/)
    .focus(SOON)
  await page.keyboard.press('Enter')
  await expect(reason).toBeVisible()
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(reason).toBeHidden()
}

test('Overview, GPUs, Hosts and Capacity show the same totals, and mark what silent hosts had last', async ({
  page,
}) => {
  // Nothing moves, and the hosts report once: soon all numbers are the last known ones.
  const cloud = await openFleetCloud(HOSTS, { isStill: true, silentAfterSeconds: 5 })
  try {
    const totals = async () => {
      const { totals: vgpus, passthrough } = overviewSchema.parse(
        await (await page.request.get(`${cloud.url}/api/v1/overview`)).json(),
      )
      return { vgpus, passthrough }
    }
    await expect.poll(async () => (await totals()).vgpus.lastKnown?.hosts, SOON).toBe(2)
    const { vgpus, passthrough } = await totals()
    expect(vgpus.lastKnown?.capacity).toBe(vgpus.capacity)

    await page.goto(`${cloud.url}/`)
    const overview = await figuresOf(page, 'Totals of the cloud')
    expect(Object.fromEntries(overview)).toEqual({
      'Total capacity': String(vgpus.capacity),
      'In use': String(vgpus.used),
      Reusable: String(vgpus.spare),
      Free: String(vgpus.free),
      Blocked: String(vgpus.blocked),
      Unknown: String(vgpus.unknown),
      'Passthrough GPUs': String(passthrough.capacity),
    })
    const marked = new RegExp(`includes ${vgpus.capacity} on 2 hosts, last seen up to \\d+ (s|min) ago`)
    await expect(page.getByText(marked)).toBeVisible()

    await page.goto(`${cloud.url}/gpus`)
    expect(await figuresOf(page, 'Totals of the pGPUs shown')).toEqual(overview)
    await expect(page.getByText(marked)).toBeVisible()
    await expectReasons(page)

    await page.goto(`${cloud.url}/hosts`)
    await expect(page.getByText(`${vgpus.used} of ${vgpus.capacity} vGPUs in use`)).toBeVisible(SOON)

    await page.goto(`${cloud.url}/capacity`)
    const capacity = await figuresOf(page, 'Current totals')
    for (const name of ['Total capacity', ...PARTS]) expect(capacity.get(name), name).toBe(overview.get(name))
    expect(capacity.get('Current use')).toBe(overview.get('In use'))
    const sum = ['Current use', ...PARTS].reduce((all, name) => all + Number(capacity.get(name)), 0)
    expect(sum).toBe(vgpus.capacity)
    await expect(page.getByText(marked)).toBeVisible()
  } finally {
    await page.close()
    await cloud.stop()
  }
})
