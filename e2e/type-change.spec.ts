import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { removeMdev, undefineMdev } from '@/simulator/host/change-vgpus'
import type { LivingHost } from '@/simulator/host/living-host'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { overflow, seriousFindings } from './world/looks'
import { expect, test } from './world/test'

const [BUSY, OTHER] = ['cmp-r2-05', 'cmp-r2-06']
const SOON = { timeout: 30_000 }

type Step = { id: string; state: string; isUndo: boolean; calls: string[]; undoCommand: string }

const livingOf = ({ openstack }: FleetCloud, name: string): LivingHost => {
  const host = openstack.world.hosts.find(({ living }) => living.name === name)
  if (host === undefined) throw new Error(`no host ${name}`)
  return host.living
}

const removeMdevs = (living: LivingHost, isWanted: (uuid: string) => boolean) => {
  for (const { uuid } of living.spec().mdevDefinitions)
    if (isWanted(uuid)) living.become(undefineMdev(living.spec(), uuid))
  for (const { slicing } of living.spec().gpus)
    for (const { uuid } of slicing?.state.vgpus ?? [])
      if (isWanted(uuid)) living.attempt(removeMdev(living.spec(), uuid))
}

const writeDropIn = (living: LivingHost, text: string) => {
  const folder = path.join(living.root, 'etc/nova/nova.conf.d')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, '99-vgpu.conf'), `${text}\n`)
  living.applyWrites()
}

/** The text between the marks of the runbook's here-document. */
const hereDocument = (command: string): string => /<<'END'\n([\s\S]*)\nEND$/.exec(command)?.[1] ?? ''

/** Does on the host what the page asks an operator for. */
const serve = (living: LivingHost, { id, isUndo, calls, undoCommand }: Step): void => {
  if (id.startsWith('remove-mdev/') && !isUndo) removeMdevs(living, (uuid) => id.endsWith(uuid))
  if (id.startsWith('write-config/'))
    writeDropIn(living, isUndo ? hereDocument(undoCommand) : calls.join('\n'))
  if (id.startsWith('restart-nova/')) living.restartNova()
}

/** Follows a change on its host until the page says that it has ended. */
const follow = async (page: Page, cloud: FleetCloud, word: string): Promise<void> => {
  const state = page.getByRole('region', { name: 'State' })
  const id = /\/changes\/(\d+)/.exec(page.url())?.[1] ?? ''
  await expect(async () => {
    const answer = await page.request.get(`${cloud.url}/api/v1/changes/${id}`)
    const { steps } = (await answer.json()) as { steps: Step[] }
    const step = steps.find((one) => one.state === 'waiting' || one.state === 'blocked')
    if (step !== undefined) serve(livingOf(cloud, BUSY), step)
    cloud.openstack.world.advance(10_000)
    cloud.openstack.controls.refresh()
    await cloud.reportAgain()
    await expect(state.getByText(word, { exact: true })).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 400_000, intervals: [200] })
}

const totals = ({ openstack }: FleetCloud): number[] =>
  [...openstack.cloud.placement.providers.values()]
    .filter(({ name }) => name.startsWith(`${BUSY}_pci_`))
    .map(({ inventories }) => inventories.get('VGPU')?.total ?? 0)

test('A busy T4 host is given another type from its page to the end, and is taken back', async ({ page }) => {
  test.setTimeout(900_000)
  const cloud = await openFleetCloud([BUSY, OTHER], { isStill: true })
  try {
    expect(totals(cloud)).toEqual([4, 4, 4, 4])
    await page.goto(`${cloud.url}/hosts/${BUSY}`)
    await page.getByRole('link', { name: 'Change type' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Change the vGPU type' })).toBeVisible()
    await page.getByRole('radio', { name: /T4-8C nvidia-320/ }).check()
    const inTheWay = page.getByRole('region', { name: 'Servers in the way' })
    await expect(inTheWay.getByRole('row')).toHaveCount(livingOf(cloud, BUSY).spec().guests.length + 1, SOON)
    await expect(inTheWay).toContainText(OTHER)
    await expect(page.getByRole('region', { name: 'Flavors' })).toContainText('vgpu.t4-4c')
    await expect(page.getByRole('region', { name: 'nova.conf' })).toContainText(
      'enabled_mdev_types = nvidia-320',
    )
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.getByRole('button', { name: 'Save the plan' }).press('Enter')
    await expect(page).toHaveURL(/\/changes\/\d+$/)
    expect(totals(cloud)).toEqual([4, 4, 4, 4])
    await page.getByRole('button', { name: 'Start' }).press('Enter')
    await follow(page, cloud, 'done')
    expect(totals(cloud)).toEqual([2, 2, 2, 2])
    expect(livingOf(cloud, BUSY).spec().guests).toEqual([])
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.getByRole('button', { name: 'Roll back' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).press('Enter')
    await follow(page, cloud, 'rolled back')
    expect(totals(cloud)).toEqual([4, 4, 4, 4])
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test('What can’t be changed is refused with its reason, and nothing can be saved', async ({ page }) => {
  test.setTimeout(180_000)
  const cloud = await openFleetCloud([BUSY], { isStill: true })
  try {
    const [address] = livingOf(cloud, BUSY)
      .spec()
      .gpus.map((gpu) => gpu.address)
    await page.goto(`${cloud.url}/changes/new/type?gpus=${BUSY},${address}&type=nvidia-999`)
    await expect(page.getByRole('heading', { name: 'Nothing can be changed' })).toBeVisible(SOON)
    await expect(page.getByRole('region', { name: 'Left alone' })).toContainText('does not offer nvidia-999')
    await expect(page.getByRole('button', { name: 'Save the plan' })).toHaveAttribute('aria-disabled', 'true')
    expect(await seriousFindings(page)).toEqual([])
    await page.goto(`${cloud.url}/changes/new/type`)
    await expect(page.getByRole('heading', { name: 'No pGPU is chosen' })).toBeVisible()
  } finally {
    await page.close()
    await cloud.stop()
  }
})
