import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { callApi, signIn as tokenOf } from '@/simulator/openstack/testing/api-client'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

/** The K40c of the second seed, crowded by ordinary servers; its sister in use; and a host with free capacity for what leaves. */
const CROWDED = 'cmp-r7-06'
const HOSTS = [CROWDED, 'cmp-r7-01', 'cmp-r2-05']
const FLAVOR = 'g1.gpu'
const SOON = { timeout: 120_000 }

/** Asks Nova for a server of the second seed's flavor; resolves to how that ended and on which host. */
const bootGpuServer = async ({ openstack: { authUrl, origin } }: FleetCloud, name: string) => {
  const token = await tokenOf(authUrl, 'admin')
  const headers = { 'openstack-api-version': 'compute 2.90' }
  const nova = `${origin}/compute/v2.1`
  const listed = await callApi(`${nova}/flavors?is_public=None`, { token, headers })
  const { flavors } = listed.body as { flavors: { id: string; name: string }[] }
  const flavorRef = flavors.find((flavor) => flavor.name === FLAVOR)?.id
  const server = { name, flavorRef, imageRef: IMAGE_ID, networks: 'none' }
  const reply = await callApi(`${nova}/servers`, { method: 'POST', token, headers, body: { server } })
  expect(reply.status, reply.text).toBe(202)
  const { id } = (reply.body as { server: { id: string } }).server
  const read = async () => {
    const { body } = await callApi(`${nova}/servers/${id}`, { token, headers })
    const { server: now } = body as { server: { status: string; 'OS-EXT-SRV-ATTR:host': string | null } }
    return { status: now.status, host: now['OS-EXT-SRV-ATTR:host'] }
  }
  await expect.poll(async () => (await read()).status, SOON).not.toBe('BUILD')
  return read()
}

const isolateAggregates = ({ openstack }: FleetCloud): void => {
  openstack.controls.isolateAggregates()
}

/** Pinned servers count as another class, of which the demo's projects may have none. */
const allowPinned = ({ openstack: { cloud } }: FleetCloud): void => {
  for (const row of cloud.keystone.registeredLimits)
    if (row.resourceName === 'class:PCPU') row.defaultLimit = 4
}

/** Each way that this release allows, with what one of its steps writes and what an admin sees to first. */
const WAYS = [
  { way: 'Aggregate for GPU flavors only', writes: 'CUSTOM_', prepare: isolateAggregates, tag: ['@long'] },
  {
    way: 'Forbidden trait in ordinary flavors',
    writes: 'CUSTOM_',
    prepare: isolateAggregates,
    tag: ['@long'],
  },
  { way: 'Divide the CPUs', writes: 'hw:cpu_policy', prepare: allowPinned, tag: [] },
]

for (const { way, writes, prepare, tag } of WAYS)
  test(`The K40c host without headroom gets a reservation (${way}), and the GPU server that failed before starts`, {
    tag,
  }, async ({ page }) => {
    test.setTimeout(600_000)
    const cloud = await openFleetCloud(HOSTS, { isStill: true, isGoing: true })
    try {
      prepare(cloud)
      expect(await bootGpuServer(cloud, 'e2e-before')).toMatchObject({ status: 'ERROR' })

      await page.goto(`${cloud.url}/hosts/${CROWDED}`)
      const headroom = page.getByRole('region', { name: 'Headroom for GPU servers' })
      await expect(headroom).toContainText('no headroom', SOON)
      await headroom.getByRole('link', { name: 'Reserve capacity for GPU servers' }).press('Enter')
      await page.getByRole('radio', { name: new RegExp(`^${way}`) }).press('Space', SOON)
      await page.getByRole('checkbox', { name: /^Migrate ordinary servers/ }).press('Space', SOON)
      await page.getByRole('button', { name: 'Create plan' }).press('Enter')
      await expect(page.getByRole('list', { name: 'Steps' })).toContainText(writes, SOON)
      await expect(page.getByRole('region', { name: 'Servers to migrate' })).toContainText('crowd-', SOON)
      await expectGoodLooks(page)
      await page.getByRole('button', { name: 'Save plan' }).press('Enter')
      await page.getByRole('button', { name: 'Start', exact: true }).press('Enter', SOON)
      const state = page.getByRole('region', { name: 'State' })
      await expect(state.getByText('done', { exact: true })).toBeVisible({ timeout: 300_000 })

      expect(await bootGpuServer(cloud, 'e2e-after')).toEqual({ status: 'ACTIVE', host: CROWDED })
    } finally {
      await page.close()
      await cloud.stop()
    }
  })
