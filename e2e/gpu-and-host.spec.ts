import { expect, test } from './world/test'

test('A pGPU shows its catalog, its guest and the file behind each fact', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus/ip-172-31-12-209/0000:f4:00.0?tab=vgpus`)
  const types = page.getByRole('region', { name: 'Supported vGPU types' })
  await expect(types.getByRole('row')).toHaveCount(18)
  const current = types.getByRole('row', { name: /^T4-16C/ })
  await expect(current).toContainText('16 GiB')
  await expect(current).toContainText('4096 × 2160')
  await expect(page.getByRole('region', { name: 'Guests' })).toContainText('test-vgpu')
  await page.getByRole('tab', { name: /^Sources/ }).click()
  await page.getByRole('searchbox', { name: 'Filter raw facts' }).fill('numa_node')
  await expect(page.getByText('/numa_node').first()).toBeVisible()
})

test('The address of a pGPU may be written in upper case', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus/IP-172-31-12-209/0000:F4:00.0`)
  await expect(page.getByRole('heading', { level: 1, name: 'Tesla T4' })).toBeVisible()
})

test('A host shows pGPUs by NUMA node and the line of nova.conf behind each option', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts/ip-172-31-12-209`)
  await expect(page.getByRole('rowheader', { name: /NUMA node 0/ })).toContainText('0-23,48-71')
  await expect(page.getByRole('rowheader', { name: /NUMA node 1/ })).toBeVisible()
  await page.getByRole('tab', { name: /^Sources/ }).click()
  const config = page.getByRole('region', { name: 'nova.conf' })
  await expect(config.getByRole('row', { name: /enabled_vgpu_types/ })).toContainText('old name of')
  await expect(config.getByRole('row', { name: /enabled_vgpu_types/ })).toContainText(/\.conf:\d+/)
})

test('The lines of nova.conf that PCI passthrough reads out are one line there, which opens', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts/gpu-l40s-01?tab=sources`)
  const passthrough = page.getByRole('region', { name: 'PCI passthrough' })
  await expect(passthrough.getByRole('row', { name: /product_id 26b9/ })).toHaveCount(5)
  const config = page.getByRole('region', { name: 'nova.conf' })
  const line = config.getByRole('row').filter({ hasText: 'device_spec' })
  await expect(line).toHaveCount(1)
  await expect(config.getByText('26b9').first()).toBeHidden()
  await line.getByText('5 lines, shown under PCI passthrough').click()
  const opened = config.getByRole('listitem').filter({ hasText: '"product_id": "26b9"' })
  await expect(opened).toHaveCount(5)
  await expect(opened.first()).toBeVisible()
})

test('Of the lines of device_spec for a card’s VFs the first are shown, and a button shows all', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus/gpu-l40s-01/0000:41:00.0`)
  const identity = page.getByRole('region', { name: 'Identity' })
  const lines = identity.getByRole('listitem').filter({ hasText: 'product_id 26b9' })
  await expect(lines).toHaveCount(2)
  const all = identity.getByRole('button', { name: 'Show all 4 lines' })
  await expect(all).toHaveAttribute('aria-expanded', 'false')
  await page.emulateMedia({ media: 'print' })
  await expect(lines).toHaveCount(4)
  await page.emulateMedia({ media: 'screen' })
  await all.press('Enter')
  await expect(lines).toHaveCount(4)
  const fewer = identity.getByRole('button', { name: 'Show the first 2 lines' })
  await expect(fewer).toBeFocused()
  await expect(fewer).toHaveAttribute('aria-expanded', 'true')
  const isCut = await identity
    .getByRole('list')
    .first()
    .evaluate((list) => list.scrollHeight > list.clientHeight)
  expect(isCut).toBe(false)
  await fewer.press('Enter')
  await expect(lines).toHaveCount(2)
})

test('What could not be read on a host is a problem with its source, and the rest is shown', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts/cmp-trouble-01?tab=sources`)
  const problems = page.getByRole('region', { name: 'Problems' })
  await expect(problems.getByText('dangling', { exact: true }).first()).toBeVisible()
  await expect(problems.getByText('refused', { exact: true }).first()).toBeVisible()
  await expect(problems.getByText('malformed', { exact: true }).first()).toBeVisible()
  await page.getByRole('tab', { name: /^Guests/ }).click()
  await expect(page.getByRole('region', { name: 'Guests' })).toContainText('survivor')
})

test('No secret of a host is on any page', async ({ page, fleet }) => {
  const answers: string[] = []
  for (const host of ['ip-172-31-12-209', 'cmp-trouble-01', 'kolla-cmp-03']) {
    await page.goto(`${fleet.url}/hosts/${host}?tab=sources`)
    await expect(page.getByRole('region', { name: 'nova.conf' })).toBeVisible()
    const answer = await page.request.get(`${fleet.url}/api/v1/hosts/${host}`)
    expect(answer.status()).toBe(200)
    answers.push(await page.content(), await answer.text())
  }
  expect(answers.join('\n')).not.toMatch(/passwd|password|keystone_authtoken|rabbit:\/\/|mysql/i)
})

test('Hosts are filtered, sorted and opened with the keyboard', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/hosts`)
  await page.getByRole('button', { name: /With problems/ }).click()
  await expect(page.getByRole('row', { name: /cmp-trouble-01/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /gpu-a40-01/ })).toHaveCount(0)
  await page.goto(`${fleet.url}/hosts?q=a40`)
  const rows = page.locator('tr[data-index]')
  await expect(rows).toHaveCount(2)
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'gpu-a40-02' })).toBeVisible()
})

test('The search finds a host, a pGPU and a server', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/`)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await page.getByRole('button', { name: /^Search or run/ }).click()
  await page.getByRole('combobox').fill('edge-vision')
  await page.getByRole('option', { name: /edge-vision-1/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/A2|edge-a2-01/)
})

test('The tabs of a GPU and a host are in the address and take the keyboard, and Back returns to the tab before', async ({
  page,
  fleet,
}) => {
  const tab = (name: RegExp) => page.getByRole('tab', { name })
  await page.goto(`${fleet.url}/gpus/ip-172-31-12-209/0000:f4:00.0`)
  await expect(tab(/^Overview/)).toHaveAttribute('aria-selected', 'true')
  await expect(tab(/^vGPUs/)).toHaveAccessibleName('vGPUs 1 in use')
  await tab(/^Overview/).focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(/^vGPUs/)).toBeFocused()
  await expect(tab(/^Overview/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?tab=vgpus$/)
  await expect(page.getByRole('tabpanel', { name: /^vGPUs/ })).toContainText('Supported vGPU types')
  await expect(page.getByRole('region', { name: 'Identity' })).toHaveCount(0)
  await page.goBack()
  await expect(tab(/^Overview/)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('region', { name: 'Identity' })).toBeVisible()

  await page.goto(`${fleet.url}/hosts/ip-172-31-12-209?tab=history`)
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
  await tab(/^Overview/).click()
  await expect(page).toHaveURL(/\/hosts\/ip-172-31-12-209$/)
  await page.goto(`${fleet.url}/hosts/ip-172-31-12-209?tab=no-such-tab`)
  await expect(tab(/^Overview/)).toHaveAttribute('aria-selected', 'true')
})

test('The first tabs of a GPU and of a host take at most two screens', async ({ page, fleet }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of ['/gpus/ip-172-31-12-209/0000:f4:00.0', '/hosts/ip-172-31-12-209']) {
    await page.goto(`${fleet.url}${path}`)
    await expect(page.getByRole('region').first()).toBeVisible()
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height, path).toBeLessThanOrEqual(1800)
  }
})

test('An action that does not apply to a card is disabled with the reason', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus/gpu-whole-01/0000:65:00.0`)
  const button = page.getByRole('button', { name: 'Change type' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.focus()
  await expect(page.getByRole('tooltip')).toContainText('Remove it from PCI passthrough first')
})
