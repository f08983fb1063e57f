import type { Page } from '@playwright/test'
import type { LivingHost } from '@/simulator/host/living-host'
import { createHands } from '@/simulator/testing/hands/hands'
import { seriousFindings } from './world/axe'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { chooseByKeyboard, pressByKeyboard, selectByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

/** In the demo the agent of the first does all that a change of the type requires, that of the other nothing. */
const [BUSY, OTHER] = ['cmp-r2-05', 'cmp-r2-06']
const SOON = { timeout: 120_000 }
/** Servers move one after the other, and what waits is checked again every five seconds. */
const IN_THE_END = { timeout: 400_000 }

type Step = {
  title: string
  state: string
  isUndo: boolean
  hasEffect: boolean
  command: string
  undoCommand: string
}

const livingOf = ({ openstack }: FleetCloud, name: string): LivingHost => {
  const host = openstack.world.hosts.find(({ living }) => living.name === name)
  if (host === undefined) throw new Error(`no host ${name}`)
  return host.living
}

const totals = ({ openstack }: FleetCloud, host: string): number[] =>
  [...openstack.cloud.placement.providers.values()]
    .filter(({ name }) => name.startsWith(`${host}_pci_`))
    .map(({ inventories }) => inventories.get('VGPU')?.total ?? 0)

const stateOf = (page: Page) => page.getByRole('region', { name: 'State' })
const inState = (page: Page, word: string) => stateOf(page).getByText(word, { exact: true })

const changeId = (page: Page): string => /\/changes\/(\d+)/.exec(page.url())?.[1] ?? ''

const stepsOf = async (page: Page, { url }: FleetCloud): Promise<Step[]> => {
  const answer = await page.request.get(`${url}/api/v1/changes/${changeId(page)}`)
  return ((await answer.json()) as { steps: Step[] }).steps
}

const chooseT48c = (page: Page) =>
  chooseByKeyboard(page, {
    first: page.getByRole('radio').first(),
    wanted: page.getByRole('radio', { name: /T4-8C nvidia-320/ }),
  })

const rollBack = async (page: Page) => {
  await pressByKeyboard(page, page.getByRole('button', { name: 'Roll back' }))
  await pressByKeyboard(page, page.getByRole('dialog').getByRole('button', { name: 'Roll back' }))
}

/** Where the files are the host's own, the plan writes them and has nova-compute read them. */
const planProviderConfig = async (page: Page, cloud: FleetCloud): Promise<void> => {
  const [gpu] = livingOf(cloud, BUSY).spec().gpus
  await page.goto(`${cloud.url}/changes/new?gpus=${BUSY},${gpu?.address}`)
  const select = page.getByRole('combobox', { name: 'Provider config' })
  await selectByKeyboard(page, { select, value: 'write' })
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps).toContainText(
    new RegExp(`Write \\d+ providers? to the provider config of ${BUSY}`),
    SOON,
  )
  await expect(steps).toContainText(`Restart nova-compute on ${BUSY}`)
  await expect(page).toHaveURL(/config=write/)
}

/** From the host's page to a saved plan, by keyboard alone; nothing has changed after it. */
const planT48c = async (page: Page, cloud: FleetCloud): Promise<void> => {
  expect(totals(cloud, BUSY)).toEqual([4, 4, 4, 4])
  const servers = livingOf(cloud, BUSY).spec().guests.length
  await page.goto(`${cloud.url}/hosts/${BUSY}`)
  await pressByKeyboard(page, page.getByRole('link', { name: 'Change type' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Change vGPU type' })).toBeVisible()
  await chooseT48c(page)
  const inTheWay = page.getByRole('region', { name: 'Servers to migrate' })
  await expect(inTheWay.getByRole('row')).toHaveCount(servers + 1, SOON)
  await expect(inTheWay).toContainText(OTHER)
  await expect(page.getByRole('region', { name: 'Flavors' })).toContainText('vgpu.t4-4c')
  await expect(page.getByRole('region', { name: 'nova.conf' })).toContainText(
    'enabled_mdev_types = nvidia-320',
  )
  await expectGoodLooks(page)

  await pressByKeyboard(page, page.getByRole('button', { name: 'Save plan' }))
  await expect(inState(page, 'planned')).toBeVisible()
  await expectGoodLooks(page)
  expect(totals(cloud, BUSY)).toEqual([4, 4, 4, 4])
}

test('A busy T4 host is given another type by keyboard alone to the end, and is reverted @long', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const cloud = await openFleetCloud([BUSY, OTHER], { isStill: true, isGoing: true })
  try {
    await planProviderConfig(page, cloud)
    await planT48c(page, cloud)
    await pressByKeyboard(page, page.getByRole('button', { name: 'Start' }))
    await expect(inState(page, 'running')).toBeVisible(SOON)
    await expect(inState(page, 'done')).toBeVisible(IN_THE_END)
    expect(totals(cloud, BUSY)).toEqual([2, 2, 2, 2])
    expect(livingOf(cloud, BUSY).spec().guests).toEqual([])
    await expectGoodLooks(page)

    await rollBack(page)
    await expect(inState(page, 'rolled back')).toBeVisible(IN_THE_END)
    expect(totals(cloud, BUSY)).toEqual([4, 4, 4, 4])
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await cloud.stop()
  }
})

/** Performs the shown commands one after the other; the page follows automatically. */
const perform = async (page: Page, cloud: FleetCloud): Promise<void> => {
  const script = await page.request.get(`${cloud.url}/api/v1/changes/${changeId(page)}/runbook?format=sh`)
  const { openstack, folder } = cloud
  const hands = await createHands({ openstack, folder })
  const text = await script.text()
  const steps = await stepsOf(page, cloud)
  const isBack = steps.some(({ isUndo }) => isUndo)
  const left = isBack ? steps.filter(({ hasEffect }) => hasEffect).toReversed() : steps
  for (const { command, undoCommand } of left) await hands.run(text, isBack ? undoCommand : command)
}

test('A busy host whose agent allows nothing is changed manually while the page ticks off, and reverted @long', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cloud = await openFleetCloud([BUSY, OTHER], { isStill: true, isGoing: true })
  try {
    const [gpu] = livingOf(cloud, OTHER)
      .spec()
      .gpus.filter(({ slicing }) => (slicing?.state.vgpus.length ?? 0) > 0)
    const address = gpu?.address ?? ''
    await page.goto(`${cloud.url}/changes/new/type?gpus=${OTHER},${address}&type=nvidia-320`)
    await page.getByRole('button', { name: 'Save plan' }).press('Enter')
    await expect(inState(page, 'planned')).toBeVisible(SOON)
    await page.getByRole('button', { name: 'Run manually' }).press('Enter')
    await expect(stateOf(page)).toContainText('run manually, tracked by the console', SOON)
    const current = page.getByRole('listitem').and(page.locator('[aria-current=step]'))
    await expect(current).toContainText('Waiting for you to do the step', SOON)
    await expect(current).toContainText('openstack')
    // What each step would change is checked before the first is done.
    await expect
      .poll(async () => (await stepsOf(page, cloud)).some(({ state }) => state === 'pending'), SOON)
      .toBe(false)
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await expect(inState(page, 'stopped')).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Resume' }).press('Enter')
    await perform(page, cloud)
    await expect(inState(page, 'done')).toBeVisible(IN_THE_END)
    expect(totals(cloud, OTHER).toSorted()).toEqual([2, 4, 4, 4])

    await rollBack(page)
    await expect(current).toContainText('Waiting for you to revert the step', SOON)
    await expectGoodLooks(page)
    await perform(page, cloud)
    await expect(inState(page, 'rolled back')).toBeVisible(IN_THE_END)
    expect(totals(cloud, OTHER)).toEqual([4, 4, 4, 4])
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test('A type change is planned by keyboard alone, and what can’t be changed is refused with its reason', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cloud = await openFleetCloud([BUSY, OTHER], { isStill: true, isGoing: true })
  try {
    await planProviderConfig(page, cloud)
    await planT48c(page, cloud)
    const [address] = livingOf(cloud, BUSY)
      .spec()
      .gpus.map((gpu) => gpu.address)
    await page.goto(`${cloud.url}/changes/new/type?gpus=${BUSY},${address}&type=nvidia-999`)
    await expect(page.getByRole('heading', { name: 'The change is not possible' })).toBeVisible(SOON)
    await expect(page.getByRole('region', { name: 'Skipped' })).toContainText('does not offer nvidia-999')
    await expect(page.getByRole('button', { name: 'Save plan' })).toHaveAttribute('aria-disabled', 'true')
    await expectGoodLooks(page)
    await page.goto(`${cloud.url}/changes/new/type`)
    await expect(page.getByRole('heading', { name: 'No pGPU selected' })).toBeVisible()
    expect(await seriousFindings(page)).toEqual([])
  } finally {
    await page.close()
    await cloud.stop()
  }
})
