import { openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks, inEachLook } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { expect } from './world/test'

/** The K40c of the second seed, crowded by ordinary servers; the same with its card in use; and a host with room. */
const CROWDED = 'cmp-r7-06'
const HOSTS = [CROWDED, 'cmp-r7-01', 'cmp-r2-05']
/** The page polls every ten seconds, and a round must end before. */
const SOON = { timeout: 60_000 }

const test = withSharedWorld(() => openFleetCloud(HOSTS, { isStill: true }))

test('The host without headroom is listed first, with what is short, and since when', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/gpu-room`)
  const rows = page.getByRole('table', { name: 'Headroom by host' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(CROWDED, SOON)
  await expect(rows.nth(1)).toContainText('no headroom')
  await expect(rows.nth(1)).toContainText(
    /too little memory is free for a server of \S+ with the 1 free card/,
  )
  await expect(rows.nth(1)).toContainText(/, since \d/)
  await expect(page.getByRole('row', { name: /^cmp-r7-01/ })).toContainText('all in use')
  await inEachLook(page)
})

test('The required reservation is calculated from flavors, and the address keeps it', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/gpu-room`)
  await page.getByLabel('On', { exact: true }).selectOption({ label: CROWDED }, SOON)
  await page.getByLabel('GPU flavor', { exact: true }).selectOption({ label: 'g1.gpu' })
  await page.getByRole('button', { name: 'Add flavor' }).click()
  await page.getByLabel('Servers of g1.gpu').fill('3')
  const reservation = page.getByRole('table', { name: 'Required reservation' })
  await expect(reservation.getByRole('row', { name: /^VCPU/ })).toContainText('6')
  await expect(reservation.getByRole('row', { name: /^Memory 12 GiB/ })).toBeVisible()
  await expect(page).toHaveURL(/keep=[^&]+(:|%3A)3/)
  await page.reload()
  await expect(reservation.getByRole('row', { name: /^Memory 12 GiB/ })).toBeVisible(SOON)
  await page.getByRole('link', { name: `Reserve capacity on ${CROWDED}` }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Reserve capacity for GPU servers' }),
  ).toBeVisible()
})

test('A reservation is planned from the page of the host, with numbers before and after', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/hosts/${CROWDED}`)
  const headroom = page.getByRole('region', { name: 'Headroom for GPU servers' })
  await expect(headroom).toContainText('no headroom', SOON)
  await headroom.getByRole('link', { name: 'Reserve capacity for GPU servers' }).click()
  await expect(page.getByText('vcpu_pin_set = 0-22')).toBeVisible(SOON)
  await page.getByLabel('CPUs that ordinary servers share').fill('0-14')
  await page.getByLabel('CPUs reserved for GPU servers').fill('21-22')
  await page.getByRole('checkbox', { name: /^g1\.gpu/ }).check()
  await page.getByRole('checkbox', { name: /^Migrate ordinary servers/ }).check()
  await page.getByRole('button', { name: 'Create plan' }).click()
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps).toContainText(`Write the CPU sets to nova.conf of ${CROWDED}`, SOON)
  await expect(steps).toContainText('hw:cpu_policy=dedicated')
  await expect(page.getByRole('region', { name: CROWDED })).toContainText('PCPU')
  await expect(page.getByRole('region', { name: 'Costs' })).toContainText('vcpu_pin_set = 0-22 is removed')
  await expect(page.getByRole('region', { name: 'Servers to migrate' })).toContainText('crowd-')
  await expectGoodLooks(page)
  await page.getByRole('radio', { name: /^A second nova-compute/ }).check()
  await expect(page.getByRole('region', { name: 'Preconditions' })).toContainText(
    'Two nova-compute services on one hypervisor work up to Newton',
    SOON,
  )
})
