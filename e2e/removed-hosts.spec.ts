import type { Page } from '@playwright/test'
import { openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks, inEachLook } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { expect } from './world/test'

const GONE = 'cmp-r6-01'
const STAYS = 'cmp-r1-03'
/** A question about the host may be on its way while it is removed. */
const MAY_BE_GONE = [/404/]

/** Each host reports once, and counts as reporting for longer than the tests take. */
const test = withSharedWorld(() => openFleetCloud([GONE, STAYS], { isStill: true }))

const removeHost = async (page: Page, url: string, reason: string) => {
  await page.goto(`${url}/hosts/${GONE}`)
  await page.getByRole('button', { name: 'Remove host' }).click()
  const dialog = page.getByRole('dialog', { name: `Remove ${GONE}?` })
  await dialog.getByLabel('Reason').fill(reason)
  await expect(dialog.getByText('The host still reports: stop the agent first')).toBeVisible()
  await dialog.getByLabel('Remove the host although its agent still reports').check()
  return dialog
}

type Description = {
  paths: Record<string, Record<string, { parameters?: { in: string; name: string; required: boolean }[] }>>
}

/** What is about the past, and the members of Nova's own aggregates. */
const NAMES_REMOVED_HOSTS = /audit|removed-hosts|findings$|flavor-offers|websso|openapi/

/** All that the console answers about the current fleet without a question about one thing. */
const readings = async (page: Page, url: string): Promise<[path: string, text: string][]> => {
  const description: Description = await (await page.request.get(`${url}/api/v1/openapi.json`)).json()
  const paths = Object.entries(description.paths)
    .filter(([path, { get }]) => get !== undefined && !path.includes('{') && !NAMES_REMOVED_HOSTS.test(path))
    .filter(([, { get }]) => (get?.parameters ?? []).every(({ required }) => !required))
    .map(([path]) => path)
  const answers: [string, string][] = []
  for (const path of [...paths, `/api/v1/search?q=${GONE}`])
    answers.push([path, await (await page.request.get(`${url}${path}`)).text()])
  return answers
}

const naming = async (page: Page, url: string): Promise<string[]> =>
  (await readings(page, url)).filter(([, text]) => text.includes(GONE)).map(([path]) => path)

test.use({ allowedConsoleErrors: MAY_BE_GONE })

test('A removed host is in no answer of the API, and an admin restores it', async ({ page, cloud }) => {
  const shown = await naming(page, cloud.url)
  expect(shown).toEqual(expect.arrayContaining(['/api/v1/hosts', '/api/v1/gpus', '/api/v1/agents']))
  const dialog = await removeHost(page, cloud.url, 'Scrapped in October')
  await expect(dialog).toContainText('The history ends today.')
  await expect(dialog).toContainText('openstack compute service delete')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Remove host' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Removed hosts' })).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(GONE) })
  await expect(row).toContainText('Scrapped in October')
  await expect(row).toContainText('local-admin')
  await inEachLook(page)
  await expect(async () => expect(await naming(page, cloud.url)).toEqual([])).toPass()
  await page.goto(`${cloud.url}/hosts`)
  await expect(page.getByRole('link', { name: STAYS })).toBeVisible()
  await expect(page.getByRole('link', { name: GONE })).toHaveCount(0)

  await page.getByRole('link', { name: 'Removed hosts' }).click()
  await page.getByRole('button', { name: `Restore ${GONE}` }).click()
  const restore = page.getByRole('dialog', { name: `Restore ${GONE}?` })
  await restore.getByLabel('Reason').fill('Wrong host')
  await restore.getByRole('button', { name: 'Restore host' }).click()
  await expect(page.getByText('No host was removed')).toBeVisible()
  await page.getByRole('link', { name: 'All hosts' }).click()
  await expect(page.getByRole('link', { name: GONE })).toBeVisible()
})

test('Two hosts without a common GPU are not merged, and the dialog shows the reason', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/hosts/${STAYS}`)
  await page.getByRole('button', { name: 'Merge history' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Previous host').fill(GONE)
  await expect(dialog.getByText(/cannot be merged|Merge only a host/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('renamed')
  await expect(dialog.getByRole('button', { name: 'Merge hosts' })).toBeDisabled()
  await expectGoodLooks(page)
})
