import { openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

/** In the demo three mdevs of an old type lock a card of it, and its agent may remove them. */
const HOST = 'cmp-r2-07'
const SOON = { timeout: 120_000 }

test('Orphaned mdevs are removed by the host’s agent, and a dropped plan removes nothing', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cloud = await openFleetCloud([HOST], { isStill: true, isGoing: true })
  const mdevs = () => {
    const [host] = cloud.openstack.world.hosts
    return host?.living.spec().gpus.flatMap(({ slicing }) => slicing?.state.vgpus ?? []).length ?? 0
  }
  const state = page.getByRole('region', { name: 'State' })
  const save = page.getByRole('button', { name: 'Save plan' })
  const steps = page.getByRole('list', { name: 'Steps' })
  try {
    const before = mdevs()
    await page.goto(`${cloud.url}/changes`)
    await expect(page.getByRole('heading', { name: 'No changes yet' })).toBeVisible()
    await page.getByRole('button', { name: 'New change' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Remove orphaned mdevs' }).press('Enter')
    await expect(steps.getByText(/^Remove the /)).toHaveCount(3, SOON)
    await expectGoodLooks(page)
    await save.press('Enter')
    await expect(state.getByText('planned', { exact: true })).toBeVisible(SOON)
    await page.getByRole('button', { name: 'Discard change' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard change' }).press('Enter')
    await expect(state.getByText('dropped', { exact: true })).toBeVisible()
    expect(mdevs()).toBe(before)

    await page.goto(`${cloud.url}/changes/new/orphans`)
    await expect(steps.getByText(/^Remove the /)).toHaveCount(3, SOON)
    await save.press('Enter')
    await page.getByRole('button', { name: 'Start' }).press('Enter')
    await expect(state.getByText('done', { exact: true })).toBeVisible({ timeout: 120_000 })
    expect(mdevs()).toBe(before - 3)
    await expectGoodLooks(page)
    await page.goto(`${cloud.url}/changes`)
    await expect(page.getByRole('row', { name: /orphaned mdevs on 1 pGPU/ })).toHaveCount(2)
    await expectGoodLooks(page)
    await page.goto(`${cloud.url}/changes/new/orphans`)
    await expect(page.getByRole('heading', { name: 'No changes needed' })).toBeVisible(SOON)
  } finally {
    await page.close()
    await cloud.stop()
  }
})
