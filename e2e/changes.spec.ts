import type { Locator, Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { type CloudWorld, signIn } from './world/cloud'
import { selectByKeyboard } from './world/keyboard'
import { overflow } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

/** A page polls every second while a change runs; a reading round must end before a plan. */
const SOON = { timeout: 30_000 }

/** A cloud that an admin of a project is signed in to, with hosts that have reported. */
const inCloud = (
  page: Page,
  work: (world: CloudWorld, reported: { reportAgain: () => Promise<void> }) => Promise<void>,
): Promise<void> => inReportedCloud({ page, as: /^admin/ }, work)

const allTraits = ({ openstack }: CloudWorld) =>
  [...openstack.cloud.placement.providers.values()].map(({ name, traits }) => [name, [...traits].sort()])

const tagged = ({ openstack }: CloudWorld) =>
  [...openstack.cloud.placement.providers.values()].filter(({ traits }) =>
    [...traits].some((trait) => trait.startsWith('CUSTOM_E2E_')),
  ).length

const inState = (page: Page, word: string) =>
  page.getByRole('region', { name: 'State' }).getByText(word, { exact: true })

const setTerms = async (page: Page, enter: (dialog: Locator) => Promise<void>) => {
  await page.getByRole('button', { name: 'Edit policy' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await enter(dialog)
  await dialog.getByRole('button', { name: 'Save policy' }).press('Enter')
  await expect(dialog).toHaveCount(0)
}

/** Who planned a change can't approve it, and it does not start before another person has. Leaves it unbound. */
const bindToSecondPerson = async (page: Page) => {
  const terms = page.getByRole('region', { name: 'Policy' })
  await setTerms(page, async (dialog) => {
    await dialog.getByLabel(/second person/).check()
    await dialog.getByLabel('Not before').fill('2030-01-01T02:00')
    await dialog.getByRole('button', { name: 'Save policy' }).press('Enter')
    await expect(dialog.getByText('Enter both times of the window, or neither.')).toBeVisible()
    await dialog.getByLabel('Not after').fill('2030-01-01T06:00')
    await dialog.getByLabel('Pause after N hosts').fill('2')
    expect(await seriousFindings(page)).toEqual([])
  })
  await expect(terms).toContainText('approval required')
  await expect(terms).toContainText('pauses after every 2 hosts')
  await page.getByRole('button', { name: 'Start' }).focus()
  await expect(page.getByRole('tooltip')).toContainText('needs the approval of a second person')
  await terms.getByRole('button', { name: 'Approve' }).focus()
  await expect(page.getByRole('tooltip')).toContainText('You planned this change')
  await setTerms(page, async (dialog) => {
    await dialog.getByLabel(/second person/).uncheck()
    await dialog.getByLabel('Not before').fill('')
    await dialog.getByLabel('Not after').fill('')
    await dialog.getByLabel('Pause after N hosts').fill('')
  })
  await expect(terms).toContainText('not required')
}

test('Two pGPUs are tagged from the list to the end, and everything is reverted', async ({ page }) => {
  test.setTimeout(180_000)
  await inCloud(page, async (world) => {
    await page.goto(`${world.url}/changes`)
    await expect(page.getByRole('heading', { name: 'No changes yet' })).toBeVisible()
    await page.goto(`${world.url}/gpus?group=none`)
    const rows = page.locator('tr[data-index]')
    await rows.nth(0).press('Space')
    await rows.nth(1).press('Space')
    await page.getByRole('link', { name: 'Tag with traits' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Tag with traits' })).toBeVisible()

    const rule = page.getByLabel('Naming rule')
    await rule.fill('e2e')
    await expect(rule).toHaveAttribute('aria-invalid', 'true')
    await rule.fill('CUSTOM_E2E_{type}')
    await rule.press('Enter')
    const steps = page.getByRole('list', { name: 'Steps' })
    await expect(steps.getByText(/^Create the trait CUSTOM_E2E_/)).toBeVisible(SOON)
    await expect(steps.getByText(/^Add CUSTOM_E2E_/)).toHaveCount(2)
    expect(tagged(world)).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    const before = allTraits(world)

    await page.getByRole('button', { name: 'Save plan' }).press('Enter')
    await expect(page).toHaveURL(/\/changes\/\d+$/)
    await expect(inState(page, 'planned')).toBeVisible()
    await page
      .locator('summary')
      .filter({ hasText: /Create the trait CUSTOM_E2E_/ })
      .first()
      .press('Enter')
    await expect(page.getByText(/^PUT \/traits\/CUSTOM_E2E_/).first()).toBeVisible()
    expect(allTraits(world)).toEqual(before)
    await bindToSecondPerson(page)
    await page.getByRole('button', { name: 'Start' }).press('Enter')
    await expect(inState(page, 'done')).toBeVisible(SOON)
    expect(tagged(world)).toBe(2)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Script' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^sliceboard-change-\d+\.sh$/)

    await page.getByRole('button', { name: 'Roll back' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).press('Enter')
    await expect(inState(page, 'rolled back')).toBeVisible(SOON)
    expect(allTraits(world)).toEqual(before)
    expect([...world.openstack.cloud.placement.customTraits].join()).not.toContain('CUSTOM_E2E_')
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await expect(page.getByRole('row', { name: /admin@Default/ })).toContainText('rolled back')
    expect(await seriousFindings(page)).toEqual([])
  })
})

const carries = ({ openstack }: CloudWorld, name: string): boolean =>
  [...openstack.cloud.placement.providers.values()].some(
    (provider) =>
      provider.name === name && [...provider.traits].some((trait) => trait.startsWith('CUSTOM_E2E_')),
  )

/** The first provider of a pGPU, with nothing in use, so that Nova can recreate it. */
const freedProvider = ({ openstack }: CloudWorld): string => {
  const { consumers, providers } = openstack.cloud.placement
  const found = [...providers.values()].find(({ name }) => name.includes('_pci_'))
  if (found === undefined) throw new Error('the cloud has no provider of a pGPU')
  for (const [server, { allocations }] of [...consumers])
    if (allocations.has(found.uuid)) openstack.controls.dropAllocation({ server })
  return found.name
}

test('A managed trait is restored on a provider that Nova recreates, until an admin stops it @long', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await inCloud(page, async (world, { reportAgain }) => {
    const name = freedProvider(world)
    const [, host = '', parts = ''] = /^([^.]+?)(?:\.[^_]+)?_pci_(.*)$/.exec(name) ?? []
    const address = parts.replace(/^(\w+)_(\w+)_(\w+)_(\w+)$/, '$1:$2:$3.$4')
    await page.goto(`${world.url}/gpus/${host}/${address}`)
    await expect(page.getByRole('region', { name: 'Managed traits' })).toContainText('No trait is managed')
    await page.getByRole('link', { name: 'Tag with traits' }).press('Enter')
    const rule = page.getByLabel('Naming rule')
    await rule.fill('CUSTOM_E2E_{type}')
    await rule.press('Enter')
    await page.getByLabel(/^Keep these traits/).check()
    const steps = page.getByRole('list', { name: 'Steps' })
    await expect(steps.getByText(/^Manage CUSTOM_E2E_/)).toBeVisible(SOON)
    const config = page.getByRole('combobox', { name: 'Provider config' })
    await selectByKeyboard(page, { select: config, value: 'write' })
    const files = page.getByRole('region', { name: 'Provider config' })
    await expect(files).toContainText(
      `No step writes the file on ${host}: its nova-compute runs in a container`,
      SOON,
    )
    await selectByKeyboard(page, { select: config, value: 'leave' })
    await expect(files).not.toContainText('No step writes the file', SOON)
    await files.locator('summary').press('Enter')
    await expect(page.getByText(`name: '${name}'`)).toBeVisible()
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Save plan' }).press('Enter')
    await page.getByRole('button', { name: 'Start' }).press('Enter')
    await expect(inState(page, 'done')).toBeVisible(SOON)

    world.openstack.controls.recreateProvider({ provider: name })
    expect(carries(world, name)).toBe(false)
    await expect
      .poll(
        async () => {
          await reportAgain()
          return carries(world, name)
        },
        { timeout: 60_000 },
      )
      .toBe(true)

    await page.goto(`${world.url}/settings/cloud`)
    const managedTraits = page.getByRole('region', { name: 'Managed traits' })
    await expect(managedTraits).toContainText('restored 1 time', SOON)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await managedTraits.getByRole('button', { name: /^Stop managing CUSTOM_E2E_/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop managing trait' }).press('Enter')
    await expect(managedTraits).toContainText('No trait is managed')
    await page.goto(`${world.url}/settings/audit`)
    await expect(page.getByText('kept-trait.put-back').first()).toBeVisible(SOON)
  })
})

test('A reader sees what a plan would do and can neither save nor start it', async ({ page }) => {
  test.setTimeout(180_000)
  await inCloud(page, async (world) => {
    const [host] = world.openstack.world.hosts.map(({ living }) => living.name)
    await page.goto(`${world.url}/gpus?group=none`)
    await page.locator('tr[data-index]').first().press('Space')
    const planPath = await page.getByRole('link', { name: 'Tag with traits' }).getAttribute('href')
    expect(planPath).toContain(host)
    // A page that still polls would be refused without its cookie.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await signIn(page, world, 'reader', /^System/)
    const [gpu] = world.openstack.world.hosts[0]?.living.spec().gpus ?? []
    await page.goto(`${world.url}/gpus/${host}/${gpu?.address}`)
    for (const name of ['Tag with traits', 'Change type']) {
      const button = page.getByRole('button', { name })
      await expect(button).toHaveAttribute('aria-disabled', 'true')
      await button.focus()
      await expect(page.getByRole('tooltip')).toContainText('To plan a change, you need the role admin')
    }
    await page.goto(`${world.url}${planPath}&rule=CUSTOM_E2E_{type}`)
    await expect(page.getByText(/^Add CUSTOM_E2E_/)).toBeVisible(SOON)
    const save = page.getByRole('button', { name: 'Save plan' })
    await expect(save).toHaveAttribute('aria-disabled', 'true')
    await save.hover()
    await expect(page.getByRole('tooltip')).toContainText('you need the role admin')
    await save.click({ force: true })
    await page.goto(`${world.url}/changes`)
    await expect(page.getByRole('heading', { name: 'No changes yet' })).toBeVisible()
    const start = page.getByRole('button', { name: 'New change' })
    await expect(start).toHaveAttribute('aria-disabled', 'true')
    await start.focus()
    await expect(page.getByRole('tooltip')).toContainText('you need the role admin')
  })
})
