import { seriousFindings } from './world/axe'
import { downloadLines } from './world/download-lines'
import { openFleetCloud } from './world/fleet-cloud'
import { overflow } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { expect, test } from './world/test'

const inCloud = withSharedWorld(() => openFleetCloud(['cmp-r2-07']))

test('A pGPU’s bar has as many cells as its type’s capacity and shows who holds them', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209`)
  const row = page.getByRole('row', { name: /0000:f4:00\.0/ })
  const bar = row.getByRole('img', { name: '1 of 1 vGPU used' })
  await expect(bar).toBeVisible()
  await bar.hover()
  await expect(page.getByText('test-vgpu')).toBeVisible()
  await expect(page.getByText(/T4-16C/).last()).toBeVisible()
})

test('The keyboard walks rows and cells, selects, and shows a pGPU', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209&group=none&sort=address`)
  const rows = page.locator('tr[data-index]')
  await expect(rows).toHaveCount(8)
  await rows.first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await expect(rows.nth(6)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('test-vgpu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Space')
  await expect(rows.nth(6)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/[?&]gpu=ip-172-31-12-209,0000:f4:00\.0/)
  await expect(page.getByRole('dialog', { name: 'Tesla T4' })).toContainText('0000:f4:00.0')
})

test('Filter, grouping and sort are in the address and survive a reload', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  await page.getByRole('searchbox', { name: /Filter by host/ }).fill('gpu-a40')
  await expect(page).toHaveURL(/q=gpu-a40/)
  await page.getByRole('button', { name: /^Group by/ }).click()
  await page.getByRole('menuitemradio', { name: 'host' }).click()
  await expect(page).toHaveURL(/group=host/)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: /Filter by host/ })).toHaveValue('gpu-a40')
  await expect(page.getByRole('rowheader', { name: /gpu-a40-01/ })).toBeVisible()
})

test('A pGPU that is opened right after a word was typed is opened, and the word is still there on return', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus`)
  // The page that is opened comes later than the address follows the word.
  await page.route(/\/gpus\/gpu-a40-01\/.*_rsc=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  const filter = page.getByRole('searchbox', { name: /Filter by host/ })
  await filter.fill('gpu-a40')
  await expect(page).toHaveURL(/q=gpu-a40$/)
  const row = page.locator('tr[data-index]').filter({ hasText: 'gpu-a40-01' }).first()
  await expect(row).toBeVisible()
  // The row is in the list before and after.
  await filter.fill('gpu-a40-01')
  await row.getByRole('link', { name: /^0000:/ }).click()
  await expect(page).toHaveURL(/\/gpus\/gpu-a40-01\/0000:/)
  await page.goBack()
  await expect(page).toHaveURL(/\/gpus\?.*q=gpu-a40-01/)
  await expect(filter).toHaveValue('gpu-a40-01')
})

test('A pGPU is found by the server that uses it', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=edge-vision-1`)
  await expect(page.locator('tr[data-index]')).toHaveCount(1)
  await expect(page.getByRole('row', { name: /edge-a2-01/ })).toBeVisible()
})

test('No match is another text than no host, and can be cleared', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=zzz-no-such`)
  await expect(page.getByRole('heading', { name: 'No pGPU matches the filter' })).toBeVisible()
  await expect(page.getByText(/^Each word must occur in/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  await page.goto(`${fleet.url}/gpus?model=zzz-no-such`)
  await expect(page.getByText(/^A pGPU must match each list above/)).toBeVisible()
  await expect(page.getByText(/^Every word/)).toHaveCount(0)
})

test('CSV has what is shown', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209`)
  await expect(page.locator('tr[data-index]')).toHaveCount(8)
  const lines = await downloadLines(page, 'CSV')
  expect(lines).toHaveLength(9)
  expect(lines.find((line) => line.includes('0000:f4:00.0'))).toContain('nvidia-321')
})

test('SR-IOV capacity is what fits, never the number of VFs', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=gpu-a40-02`)
  await expect(page.getByRole('img', { name: /of 12 vGPUs used/ }).first()).toBeVisible()
})

test('Grouping by aggregate is offered, disabled, with the reason', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  await page.getByRole('button', { name: /^Group by/ }).click()
  const aggregate = page.getByRole('menuitemradio', { name: /aggregate/ })
  await expect(aggregate).toBeDisabled()
  await expect(aggregate.getByText('No cloud is connected.')).toBeVisible()
})

test('Back from a pGPU, the focus is on the row that was opened', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209&group=none&sort=address`)
  const rows = page.locator('tr[data-index]')
  await expect(rows).toHaveCount(8)
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(2)).toBeFocused()
  const address = rows.nth(2).getByRole('link', { name: /^0000:/ })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(address).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Tesla T4' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect(rows.nth(2)).toBeFocused()
})

test('The keyboard continues at the content of a page that was opened, and back at its link', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/hosts`)
  const host = page.locator('tr[data-index]').filter({ hasText: 'ip-172-31-12-209' })
  await host.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'ip-172-31-12-209' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect(host).toBeFocused()
  await page.getByRole('link', { name: 'Findings' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Findings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Findings' })).toBeFocused()
})

test('A parameter without a value narrows nothing', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?model=&type=&finding=`)
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear' })).toHaveCount(0)
})

test('The bar of narrow screens is in the document only where it is shown', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus`)
  const menu = page.getByRole('button', { name: 'Open the navigation', includeHidden: true })
  await expect(menu).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(menu).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(menu).toHaveCount(0)
})

test('On a phone rows are on screen, and the text in place of a bar is shown in full', async ({
  page,
  fleet,
}) => {
  // Rows below the window are not in the document.
  await page.setViewportSize({ width: 390, height: 844 })
  for (const query of ['', '?q=virtlab606', '?q=gpu-mixed-01']) {
    await page.goto(`${fleet.url}/gpus${query}`)
    await expect(page.locator('tr[data-index]').first()).toBeInViewport({ ratio: 1 })
  }
  for (const [host, words] of [
    ['virtlab606', /^\d+ to \d+ vGPUs, no type yet$/],
    ['gpu-mixed-01&framework=none', '– not configured for vGPU or passthrough'],
  ] as const) {
    await page.goto(`${fleet.url}/gpus?q=${host}`)
    const label = page.locator('tr[data-index]').getByText(words).first()
    await expect(label).toBeVisible()
    const free = await label.evaluate((element) => {
      const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element
      const [own, row] = [element, element.closest('tr')].map((box) => box?.getBoundingClientRect())
      return {
        isCut: scrollWidth > clientWidth || scrollHeight > clientHeight,
        isInRow: (own?.bottom ?? 0) <= (row?.bottom ?? 0),
      }
    })
    expect([host, free]).toEqual([host, { isCut: false, isInRow: true }])
  }
})

test('A sort is applied to the rows at once and to the address soon after', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209&group=none`)
  const first = page.locator('tr[data-index="0"]')
  await expect(first).toContainText('0000:')
  const before = await first.textContent()
  await page.getByRole('button', { name: /^PCI address/ }).click()
  await page.getByRole('button', { name: /^PCI address/ }).click()
  await expect(page.getByRole('columnheader', { name: /PCI address/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await expect(first).not.toHaveText(before ?? '')
  await expect(page).toHaveURL(/sort=address&desc=true/)
})

test('Rows that are found quickly appear in the frame of the key, except the first ones', async ({
  page,
  fleet,
}) => {
  // On a machine with much else to do nothing would be quick.
  await page.addInitScript(() => {
    performance.now = () => 0
  })
  await page.goto(`${fleet.url}/gpus?group=none`)
  await page.getByRole('button', { name: 'CSV of the rows shown' }).and(page.locator(':enabled')).waitFor()
  const search = page.getByRole('searchbox', { name: /Filter by host/ })
  const rows = page.locator('tr[data-index]')
  await page.getByRole('button', { name: /^Host/ }).click()
  await expect(page.getByRole('columnheader', { name: /Host/ })).toHaveAttribute('aria-sort', 'descending')
  await search.pressSequentially('ip', { delay: 100 })
  await expect(page.getByRole('status').filter({ hasText: /of \d+ pGPUs shown/ })).toBeAttached()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const inFrame = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const count = () => resolve(document.querySelectorAll('tr[data-index]').length)
        document.addEventListener('input', () => requestAnimationFrame(count), { once: true })
      }),
  )
  const before = await rows.count()
  await search.press('q')
  await expect(rows).toHaveCount(0)
  expect(before).toBeGreaterThan(0)
  expect(await inFrame).toBe(0)
})

/** In a cloud: without one the page of a type has no fits to show. */
inCloud('Host, address and type of a row are links', async ({ page, cloud }) => {
  const list = `${cloud.url}/gpus?q=cmp-r2-07&group=none&sort=address`
  for (const [name, address] of [
    ['cmp-r2-07', /\/hosts\/cmp-r2-07$/],
    ['0000:35:00.0', /\/gpus\/cmp-r2-07\/0000:35:00\.0$/],
    ['T4-8C', /\/types\/nvidia-\d+$/],
  ] as const) {
    await page.goto(list)
    const row = page.getByRole('row', { name: /0000:35:00\.0/ })
    await row.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
  }
})

test('The drawer shows a pGPU next to the list: it has an address, steps through the list, and gives the focus back', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209&group=none&sort=address`)
  const rows = page.locator('tr[data-index]')
  await expect(rows).toHaveCount(8)
  const drawer = page.getByRole('dialog', { name: 'Tesla T4' })
  const shown = (index: number) => drawer.getByRole('link', { name: addresses[index] ?? '', exact: true })
  const addresses = await rows.getByRole('link', { name: /^0000:/ }).allTextContents()

  await rows.nth(2).getByText(/ \/ /).click()
  await expect(shown(2)).toBeVisible()
  await expect(drawer.getByRole('tab', { name: /^Overview/ })).toHaveAttribute('aria-selected', 'true')
  expect(await seriousFindings(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  // The list stays in use.
  await rows.nth(4).getByText(/ \/ /).click()
  await expect(shown(4)).toBeVisible()
  await drawer.getByRole('button', { name: 'Next GPU' }).click()
  await expect(shown(5)).toBeVisible()
  await drawer.getByRole('button', { name: 'Previous GPU' }).press('Enter')
  await expect(shown(4)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(rows.nth(4)).toBeFocused()
  await expect(page).not.toHaveURL(/gpu=/)

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(shown(5)).toBeVisible()
  await page.reload()
  await expect(shown(5)).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(rows.nth(5)).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(shown(5)).toBeVisible()
  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(/\/gpus\?q=ip-172-31-12-209/)
  await expect(rows).toHaveCount(8)
})

test('On a phone the drawer takes the whole width', async ({ page, fleet }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${fleet.url}/gpus?q=ip-172-31-12-209&gpu=ip-172-31-12-209,0000:f4:00.0`)
  const drawer = page.getByRole('dialog', { name: 'Tesla T4' })
  await expect(drawer.getByRole('tab', { name: /^Overview/ })).toBeVisible()
  expect(await drawer.evaluate((element) => element.getBoundingClientRect().width)).toBe(390)
  expect(await seriousFindings(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page.locator('tr:focus')).toContainText('0000:f4:00.0')
})

test.describe('what does not exist', () => {
  test.use({ allowedConsoleErrors: [/404/] })

  test('A pGPU that does not exist is reported in the drawer', async ({ page, fleet }) => {
    await page.goto(`${fleet.url}/gpus?gpu=ip-172-31-12-209,0000:00:1f.0`)
    await expect(page.getByRole('dialog').getByText('There is no such pGPU')).toBeVisible()
  })
})

test('Selecting rows moves no row, and the actions that do not apply are disabled with the reason', async ({
  page,
  fleet,
}) => {
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${fleet.url}/gpus?q=gpu-whole-01&group=none`)
    const rows = page.locator('tr[data-index]')
    await expect(rows.first()).toBeVisible()
    await page.getByRole('button', { name: 'CSV of the rows shown' }).and(page.locator(':enabled')).waitFor()
    const top = () => rows.first().evaluate((row) => row.getBoundingClientRect().top)
    const before = await top()
    await rows.first().getByRole('checkbox').click()
    const bar = page.getByRole('group', { name: 'Selected pGPUs' })
    await expect(bar).toContainText('1 selected')
    expect(await top(), `at ${width}`).toBe(before)
    expect(await overflow(page), `at ${width}`).toBeLessThanOrEqual(0)
    expect(await seriousFindings(page), `at ${width}`).toEqual([])
    const orphans = bar.getByRole('button', { name: 'Remove orphans' })
    await expect(orphans).toHaveAttribute('aria-disabled', 'true')
    await orphans.hover()
    await expect(page.getByRole('tooltip')).toContainText('No selected pGPU has orphaned mdevs.')
    await bar.getByRole('button', { name: /^Clear/ }).click()
    await expect(bar).toHaveCount(0)
    await expect(page.getByRole('checkbox', { name: 'Select all pGPUs shown' })).toBeFocused()
  }
})

test('Passthrough GPUs are counted apart from vGPUs in what is selected', async ({ page, fleet }) => {
  await page.goto(`${fleet.url}/gpus?q=gpu-whole-01&framework=passthrough`)
  await page.getByRole('button', { name: 'CSV of the rows shown' }).and(page.locator(':enabled')).waitFor()
  await page.getByRole('checkbox', { name: 'Select all pGPUs shown' }).check()
  const bar = page.getByRole('group', { name: 'Selected pGPUs' })
  await expect(bar).toContainText(/\d+ of \d+ passthrough GPUs in use/)
  await expect(bar).not.toContainText('vGPU')
  await expect(bar.getByRole('link', { name: 'Remove from PCI passthrough' })).toBeVisible()
})

inCloud(
  'A view is saved with its columns, opened by its link, replaced and deleted',
  async ({ page, cloud }) => {
    await page.goto(`${cloud.url}/gpus`)
    const views = page.getByRole('navigation', { name: 'Saved views' })
    const name = `Rack ${Date.now()}`
    await expect(views.getByRole('button', { name: 'Save view' })).toBeDisabled()
    await page.getByRole('searchbox', { name: /Filter by host/ }).fill('0000:35')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'NUMA node' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Framework' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'NUMA node' })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Framework' })).toHaveCount(0)
    await views.getByRole('button', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Name').press('Enter')
    const tab = views.getByRole('link', { name })
    await expect(tab).toHaveAttribute('aria-current', 'page')
    await views.getByRole('link', { name: /^All GPUs/ }).click()
    await expect(page.getByRole('columnheader', { name: 'NUMA node' })).toHaveCount(0)
    await page.goto(`${cloud.url}${await tab.getAttribute('href')}`)
    await expect(page.getByRole('columnheader', { name: 'NUMA node' })).toBeVisible()
    await expect(page.getByRole('searchbox', { name: /Filter by host/ })).toHaveValue('0000:35')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('searchbox', { name: /Filter by host/ }).fill('0000:36')
    await views.getByRole('button', { name: 'Save view' }).click()
    await dialog.getByLabel('Name').fill(name)
    await expect(dialog).toContainText('Replaces your view of this name.')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await expect(tab).toHaveAttribute('href', /q=0000%3A36/)
    await views.getByRole('button', { name: `Actions for the view ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await expect(tab).toHaveCount(0)
  },
)
