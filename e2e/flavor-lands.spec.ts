import type { Page } from '@playwright/test'
import type { HostCells } from '@/lib/schemas/api/gpu'
import { configuredType } from '@/simulator/host/host-lookup'
import type { LivingHost } from '@/simulator/host/living-host'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { callApi, signIn as tokenOf } from '@/simulator/openstack/testing/api-client'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

/** Four T4 with T4-2Q, then four with T4-1Q: without a trait Placement would offer the first ones too. */
const HOST = 'cmp-r1-01'
const WANTED = { type: 'nvidia-230', name: 'T4-1Q' }
const FLAVOR = 'vgpu.e2e-lands'
const SERVER = 'e2e-on-the-right-card'
const NOWHERE = 'vgpu.e2e-nowhere'
const SOON = { timeout: 120_000 }

const livingOf = ({ openstack }: FleetCloud): LivingHost => {
  const [host] = openstack.world.hosts
  if (host === undefined) throw new Error('the world has no host')
  return host.living
}

const cardsOf = (cloud: FleetCloud, type: string): string[] => {
  const spec = livingOf(cloud).spec()
  return spec.gpus.flatMap(({ address }) => (configuredType(spec, address) === type ? [address] : []))
}

const made = ({ openstack }: FleetCloud, name: string) =>
  openstack.cloud.nova.flavors.find((flavor) => flavor.name === name)

const chooseType = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/changes/new/flavor`)
  await page.getByRole('radio', { name: new RegExp(`${WANTED.name}\\s*${WANTED.type}`) }).press('Space', SOON)
}

const fill = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('vCPUs', { exact: true }).fill('1')
  await page.getByLabel('Memory (GiB)').fill('1')
  await page.getByLabel('Disk (GiB)').fill('1')
}

/** As a member of the project does it: finds the flavor by its name and boots; resolves to the server’s id. */
const bootAsTenant = async ({ openstack: { authUrl, origin } }: FleetCloud): Promise<string> => {
  const token = await tokenOf(authUrl, 'tenant')
  const headers = { 'openstack-api-version': 'compute 2.90' }
  const nova = `${origin}/compute/v2.1`
  const listed = await callApi(`${nova}/flavors`, { token, headers })
  const { flavors } = listed.body as { flavors: { id: string; name: string }[] }
  const flavorRef = flavors.find(({ name }) => name === FLAVOR)?.id
  const server = { name: SERVER, flavorRef, imageRef: IMAGE_ID, networks: 'none' }
  const reply = await callApi(`${nova}/servers`, { method: 'POST', token, headers, body: { server } })
  expect(reply.status, reply.text).toBe(202)
  const { id } = (reply.body as { server: { id: string } }).server
  const statusNow = async () => {
    const { body } = await callApi(`${nova}/servers/${id}`, { token, headers })
    return (body as { server: { status: string } }).server.status
  }
  await expect.poll(statusNow, SOON).toBe('ACTIVE')
  return id
}

/** Where the server’s cell is in its pGPU’s bar, by the host’s last report; null: in none yet. */
const cellOf = async (page: Page, { url }: FleetCloud) => {
  const answer = await page.request.get(`${url}/api/v1/hosts/${HOST}/cells`)
  const { pgpus } = (await answer.json()) as HostCells
  for (const { address, cells } of pgpus) {
    const index = cells.findIndex(({ occupant }) => occupant?.serverName === SERVER)
    if (index >= 0) return { address, index }
  }
  return null
}

const inState = (page: Page, word: string) =>
  page.getByRole('region', { name: 'State' }).getByText(word, { exact: true })

test('A server of a flavor that was built here comes up on a pGPU of its type and is shown in that pGPU’s bar', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cloud = await openFleetCloud([HOST], { isStill: true, isGoing: true })
  try {
    await chooseType(page, cloud.url)
    await fill(page, FLAVOR)
    await page.getByRole('radio', { name: 'These projects' }).press('Space')
    await page.getByRole('checkbox', { name: 'cfd-lab' }).press('Space')
    const specs = page.getByRole('region', { name: 'Extra specs' })
    await expect(specs).toContainText(/trait:CUSTOM_\w+=required/)
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    await expect(page.getByRole('region', { name: 'What this changes' })).toContainText(
      /\d+ fit now, on 1 host/,
      SOON,
    )
    await page.getByRole('button', { name: 'Save plan' }).press('Enter')
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter', SOON)
    await expect(inState(page, 'done')).toBeVisible(SOON)

    // Only what a project runs already is within its limit in the demo.
    cloud.openstack.controls.setLimit({ project: 'cfd-lab', value: '10' })
    await bootAsTenant(cloud)
    await expect.poll(() => cellOf(page, cloud), SOON).not.toBeNull()
    const cell = await cellOf(page, cloud)
    expect(cardsOf(cloud, WANTED.type)).toContain(cell?.address)
    await page.goto(`${cloud.url}/gpus?q=${SERVER}&group=none`)
    const row = page.locator('tr[data-index]')
    await expect(row).toHaveCount(1, SOON)
    await expect(row).toContainText(cell?.address ?? '')
    await expect(row).toContainText(WANTED.name)
    await row.focus()
    for (let step = 0; step <= (cell?.index ?? 0); step++) await page.keyboard.press('ArrowRight')
    const note = page.getByRole('status').filter({ hasText: SERVER })
    await expect(note).toContainText(`vGPU ${(cell?.index ?? 0) + 1}`)
    await expect(note).toContainText(FLAVOR)

    await page.goto(`${cloud.url}/flavors`)
    await page.getByRole('link', { name: FLAVOR }).press('Enter', SOON)
    await expect(page.getByRole('region', { name: 'Servers' })).toContainText(`${SERVER} of cfd-lab`, SOON)
    await expectGoodLooks(page)
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test('A flavor that could land on no host is refused with the reason before anything is saved @long', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cloud = await openFleetCloud([HOST], { isStill: true })
  try {
    const cards = cardsOf(cloud, WANTED.type).length
    await chooseType(page, cloud.url)
    await fill(page, NOWHERE)
    // NVIDIA gives a server one vGPU of a pGPU, and no host has so many of this type.
    await page.getByLabel('vGPUs per server').selectOption(String(cards + 1))
    await expect(page.getByRole('region', { name: 'Extra specs' })).toContainText('group_policy=isolate')
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    const refused = page.getByRole('region', { name: 'Skipped' })
    await expect(refused).toContainText(NOWHERE, SOON)
    await expect(refused).toContainText(
      `no host could run a server of it, even if every host were empty; closest host: ${HOST}`,
    )
    await expect(page.getByRole('region', { name: 'What this changes' })).toContainText(
      'Placement reports that no host has capacity now',
    )
    await expect(page.getByRole('button', { name: 'Save plan' })).toHaveAttribute('aria-disabled', 'true')
    await expectGoodLooks(page)
    expect(made(cloud, NOWHERE)).toBeUndefined()

    await page.getByLabel('vGPUs per server').selectOption(String(cards))
    await page.getByRole('button', { name: 'Create plan' }).press('Enter')
    await expect(page.getByRole('list', { name: 'Steps' })).toContainText(
      `Create the flavor ${NOWHERE}`,
      SOON,
    )
  } finally {
    await page.close()
    await cloud.stop()
  }
})
