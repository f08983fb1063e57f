import type { Locator, Page } from '@playwright/test'
import { type CatalogFlavor, catalogSchema } from '@/lib/schemas/api/catalog'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import { type CloudWorld, signIn } from './world/cloud'
import { pressByKeyboard, selectByKeyboard } from './world/keyboard'
import { inEachLook } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

/** Hosts report, a round ends, the catalog is counted, and the page refreshes every 15 seconds. */
const SOON = { timeout: 90_000 }
const DASHBOARD = 'https://dashboard.example'

/** Two hosts are too few for every project to have servers, and limits are made from those. */
const allowVgpus = ({ openstack }: CloudWorld): void => {
  const { keystone } = openstack.cloud
  for (const limit of keystone.registeredLimits)
    if (limit.resourceName.startsWith('class:')) limit.defaultLimit = Math.max(limit.defaultLimit, 1_000_000)
  keystone.limits = keystone.limits.filter(({ resourceName }) => !resourceName.startsWith('class:'))
}

const asTenant = (page: Page, work: (world: CloudWorld, flavor: CatalogFlavor) => Promise<void>) =>
  inReportedCloud(
    {
      page,
      as: /^System/,
      hostCount: 2,
      env: {
        SLICEBOARD_SILENT_AFTER_SECONDS: '86400',
        SLICEBOARD_DASHBOARDS: `horizon+${DASHBOARD}`,
      },
      before: allowVgpus,
    },
    async (world) => {
      // Pending requests of the admin's page would be refused.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await signIn(page, world, 'tenant', null)
      await work(world, await firstUsable(page, world))
    },
  )

const isUsable = ({ availability, headroom, diskGib }: CatalogFlavor): boolean =>
  (availability === 'free' || availability === 'few') && headroom.state === 'available' && diskGib < 64

const firstUsable = async (page: Page, { url }: CloudWorld): Promise<CatalogFlavor> => {
  const read = async () =>
    catalogSchema.parse(await (await page.request.get(`${url}/api/v1/catalog`)).json()).flavors.find(isUsable)
  await expect.poll(async () => (await read())?.name, SOON).toBeDefined()
  const found = await read()
  if (found === undefined) throw new Error('the catalog has no usable flavor left')
  await page.reload()
  return found
}

const drawerOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Create server' })
const openerOf = (page: Page, { name }: CatalogFlavor): Locator =>
  page.getByRole('button', { name: new RegExp(`^Create server\\W+with ${name}$`) })

const ownServers = ({ openstack }: CloudWorld) =>
  [...openstack.cloud.nova.servers.values()].filter(
    ({ projectId, isByApi }) => isByApi && projectId === projectIdOf('cfd-lab'),
  )

test('A tenant gets a complete command in three clicks, and creates a server with the keyboard', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await asTenant(page, async (world, flavor) => {
    await openerOf(page, flavor).click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('Image', { exact: true }).selectOption({ label: 'ubuntu-24.04-nvidia-550' })
    await drawer.getByRole('button', { name: 'Copy command' }).click()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    expect(command).toMatch(
      new RegExp(
        [
          'openstack server create \\\\',
          `  --flavor ${flavor.name} \\\\`,
          '  --image ubuntu-24.04-nvidia-550 \\\\',
          '  --network cfd-lab-net \\\\',
          '  --key-name m.ferrand-laptop \\\\',
          '  --security-group default \\\\',
          '  \\S+',
        ].join('\\n'),
      ),
    )
    await expect(drawer.getByRole('table', { name: 'Quota after creation' })).toContainText('vGPUs')
    await expect(
      drawer.getByLabel('Image', { exact: true }).getByRole('option', { name: /windows/ }),
    ).toBeDisabled()
    await expect(drawer.getByRole('link', { name: 'Open Horizon' })).toHaveAttribute(
      'href',
      `${DASHBOARD}/project/instances/`,
    )
    await inEachLook(page)

    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(openerOf(page, flavor)).toBeFocused()
    await pressByKeyboard(page, openerOf(page, flavor))
    await expect(drawer.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('train-07')
    await selectByKeyboard(page, {
      select: drawer.getByLabel('Network', { exact: true }),
      value: world.openstack.cloud.neutron.networks.find(({ name }) => name === 'campus-shared')?.id ?? '',
    })
    await drawer.getByRole('tab', { name: 'Terraform' }).focus()
    await page.keyboard.press('Enter')
    await expect(drawer).toContainText('resource "openstack_compute_instance_v2" "train_07"')
    await pressByKeyboard(page, drawer.getByRole('button', { name: 'Create now' }))
    const confirmation = page.getByRole('dialog', { name: 'Create the server train-07?' })
    await expect(confirmation).toContainText('campus-shared')
    await inEachLook(page)
    expect(ownServers(world)).toEqual([])
    await pressByKeyboard(page, confirmation.getByRole('button', { name: 'Create server' }))
    await expect(drawer.getByRole('status')).toContainText(
      'Nova accepted the server train-07 and is building it.',
    )
    expect(ownServers(world)).toMatchObject([{ name: 'train-07', networkIds: [expect.any(String)] }])
    // The world's clock runs only here; then the server is on its host.
    world.openstack.world.advance(10_000)
    await expect(drawer.getByRole('status')).toContainText('The server train-07 has the status ACTIVE.')
    await pressByKeyboard(page, drawer.getByRole('link', { name: 'Open Servers' }))
    await expect(page.getByRole('rowheader', { name: /^train-07/ })).toBeVisible(SOON)
  })
})

// The refusal of the quota.
test.use({ allowedConsoleErrors: [/412 \(Precondition Failed\)/] })

test('A refusal of Nova is one sentence, and a missing Glance leaves the command', async ({ page }) => {
  test.setTimeout(300_000)
  await asTenant(page, async (world, flavor) => {
    const { controls, cloud } = world.openstack
    const drawer = drawerOf(page)
    await page.goto(`${world.url}/catalog?flavor=${flavor.id}`)
    await expect(drawer.getByLabel('Image', { exact: true })).toHaveValue(/./)
    cloud.keystone.limits.push({
      id: 'a'.repeat(32),
      serviceId: cloud.keystone.registeredLimits[0]?.serviceId ?? '',
      regionId: cloud.region,
      projectId: projectIdOf('cfd-lab'),
      domainId: null,
      resourceName: 'class:VCPU',
      resourceLimit: 0,
      description: null,
    })
    await drawer.getByRole('button', { name: 'Create now' }).click()
    const confirmation = page.getByRole('dialog', { name: /^Create the server/ })
    await confirmation.getByRole('button', { name: 'Create server' }).click()
    await expect(confirmation.getByRole('alert')).toContainText(
      /^The quota of your project does not allow this server \(vCPUs: \d+ of 0 used/,
    )
    expect(ownServers(world)).toEqual([])
    await page.keyboard.press('Escape')

    controls.breakApi({ service: 'glance', kind: '500' })
    await page.reload()
    await expect(drawer).toContainText('The images cannot be listed: Glance does not respond.')
    await drawer.getByLabel('Image', { exact: true }).fill("it's mine")
    await expect(drawer.getByRole('tabpanel')).toContainText(`--image 'it'\\''s mine'`)
    await expect(drawer.getByRole('button', { name: 'Create now' })).toHaveAttribute('aria-disabled', 'true')
    await inEachLook(page)
    controls.repairApi({ service: 'glance' })
    await drawer.getByRole('button', { name: 'Refresh choices' }).click()
    await expect(
      drawer.getByLabel('Image', { exact: true }).getByRole('option', { name: /cfd-solver/ }),
    ).toBeAttached()
  })
})
