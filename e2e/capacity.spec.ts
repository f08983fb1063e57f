import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Capacity } from '@/lib/schemas/api/capacity'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { type FleetCloud, openFleetCloud } from './world/fleet-cloud'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

const HOST = 'cmp-r2-07'

const ask = async (page: Page, { url }: Pick<FleetCloud, 'url'>, by: string): Promise<Capacity> =>
  (await (await page.request.get(`${url}/api/v1/capacity?by=${by}`)).json()) as Capacity

/** What a change and a finding of yesterday would be answered as. */
const marksOfYesterday = (): CapacityMarks => {
  const [from, at, until] = [48, 0.01, 0].map((hours) =>
    new Date(Date.now() - hours * 3_600_000).toISOString(),
  )
  if (from === undefined || at === undefined || until === undefined) throw new Error('no moments')
  return {
    cloud: 'paris-prod',
    from,
    until,
    marks: [
      {
        kind: 'change',
        at,
        until: null,
        label: 'change 9: T4-16C to T4-8Q',
        count: 1,
        of: [{ kind: 'change', id: 9 }],
      },
    ],
    more: { changes: 0, silences: 0, findings: 3 },
  }
}

/** What three servers that were refused on two of the last days would be answered as. */
const refusedLately = (): RefusedDemand => {
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const points = [3, 2, 1].map((days) => ({
    at: dayAgo(days),
    servers: { 'no-valid-host': days - 1, 'over-limit': 0, 'build-failed': 0 },
  }))
  return {
    cloud: 'paris-prod',
    since: dayAgo(3),
    until: dayAgo(0),
    servers: 3,
    groups: [
      {
        flavorName: 'vgpu.t4-2q',
        projectId: 'p1',
        projectName: 'vdi-north',
        reason: 'no-valid-host',
        servers: 3,
        firstAt: dayAgo(3),
        lastAt: dayAgo(2),
        message: 'No valid host was found.',
      },
    ],
    firstKnownAt: dayAgo(3),
    stepSeconds: 86_400,
    points,
    days: [],
  }
}

/** How wide a chart and its container are on a sheet that is narrower than the window, before any script could run. */
const widthsOnPaper = (page: Page): Promise<{ sheet: number; chart: number }> =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    const chart = document.querySelector('.recharts-wrapper > svg')
    const sheet = chart?.closest('.recharts-responsive-container')
    if (main === null || chart === null || sheet == null) throw new Error('no chart')
    main.style.width = '700px'
    const widths = {
      sheet: sheet.getBoundingClientRect().width,
      chart: chart.getBoundingClientRect().width,
    }
    main.style.width = ''
    return widths
  })

test('Who was refused a GPU is drawn over time, on the way from the flavors and as a table', async ({
  page,
  fleet,
}) => {
  await page.route('**/api/v1/refused-demand?*', (route) => route.fulfill({ json: refusedLately() }))
  await page.goto(`${fleet.url}/flavors`)
  const few = page.getByRole('region', { name: 'Refused', exact: true })
  await expect(few.getByRole('img', { name: '3 servers refused, at most 2 per day' })).toBeVisible()
  await few.getByRole('link', { name: 'Over time' }).press('Enter')
  await expect(page).toHaveURL(/\/capacity\?tab=refused$/)
  const panel = page.getByRole('region', { name: 'Refused servers' })
  await expect(panel).toContainText('3 servers of the whole cloud got no GPU')
  await expect(panel.locator('svg path.recharts-area-area').first()).toBeAttached()
  await expect(panel.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', /refused-demand\/export/)
  await panel.getByRole('button', { name: 'As a table' }).press('Enter')
  const points = panel.getByRole('table', { name: 'Refused servers over time' })
  await expect(points.getByRole('row')).toHaveCount(4)
  await expect(panel.getByRole('table', { name: 'Refused servers', exact: true })).toContainText('vdi-north')
  await expectGoodLooks(page)
})

test('What was used is drawn over time, group by group, as a table and as files', async ({ page }) => {
  test.setTimeout(240_000)
  const cloud = await openFleetCloud([HOST], { isStill: true, isGoing: true, silentAfterSeconds: 5 })
  try {
    const used = async () =>
      (await ask(page, cloud, 'all')).series[0]?.used.findLast((value) => value !== null)
    await expect.poll(used, { timeout: 120_000 }).toBeGreaterThan(0)
    const [type] = (await ask(page, cloud, 'type')).series
    if (type === undefined) throw new Error('the history has no type')

    await page.route('**/api/v1/capacity/marks*', (route) => route.fulfill({ json: marksOfYesterday() }))
    await page.goto(`${cloud.url}/capacity?days=7&compare=previous&zone=Asia%2FTokyo`)
    const whole = page.getByRole('region', { name: 'All vGPUs' })
    await expect(whole.getByRole('img', { name: 'All vGPUs; the table contains the numbers' })).toBeVisible()
    await expect(whole.locator('svg path.recharts-area-area').first()).toBeAttached()
    const figures = page.getByLabel('Current totals', { exact: true })
    const inUse = async () => (await ask(page, cloud, 'all')).series[0]?.current?.totals.used
    await expect
      .poll(async () => (await figures.textContent())?.includes(`Current use${await inUse()}`), {
        timeout: 60_000,
      })
      .toBe(true)

    await expect(whole.getByRole('table', { name: 'Events in the chart' })).toContainText('T4-16C to T4-8Q')
    await expect(whole.getByRole('link', { name: 'change 9', exact: true })).toHaveAttribute(
      'href',
      /changes\/9/,
    )
    await expect(whole.getByRole('link', { name: '3 findings more' })).toBeVisible()
    await expect(whole.getByRole('table', { name: 'The two ranges' })).toContainText('Used on average')

    const week = page.getByRole('region', { name: 'Hours of the week' })
    await expect(week).toContainText('Asia/Tokyo')
    await expect(
      week
        .getByRole('table')
        .getByText(/ used on average, \d+ at most/)
        .first(),
    ).toBeAttached()

    await week.getByRole('button', { name: 'at most' }).press('Enter')
    await expect(page).toHaveURL(/week=max/)
    await page.reload()
    await expect(whole.locator('svg path.recharts-area-area').first()).toBeAttached()
    await expect(week.getByRole('button', { name: 'at most' })).toHaveAttribute('aria-pressed', 'true')
    await week.getByRole('button', { name: 'on average' }).press('Enter')
    await expect(page).not.toHaveURL(/week=/)

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    expect([...link.searchParams.keys()].toSorted()).toEqual([
      'clock',
      'cloud',
      'compare',
      'compareFrom',
      'from',
      'until',
      'zone',
    ])

    // What was copied is what is seen, until it may continue.
    await expect(page).toHaveURL(/from=.*until=/)
    expect(new URL(page.url()).searchParams.get('until')).toBe(link.searchParams.get('until'))
    await page.getByRole('button', { name: 'Follow current time' }).press('Enter')
    await expect(page).not.toHaveURL(/until=/)

    // On paper: the whole chart, at any width of the sheet, with the state of the tools.
    await page.emulateMedia({ media: 'print' })
    await expect(
      page.getByText(/^\d{4}-\d\d-\d\d to .*; All vGPUs; by vGPU type; compared with/),
    ).toBeVisible()
    const { sheet, chart } = await widthsOnPaper(page)
    expect(sheet).toBeLessThan(700)
    expect(chart).toBe(sheet)
    await page.emulateMedia({ media: 'screen' })

    await page.getByRole('button', { name: type.label, exact: true }).press('Enter')
    await expect(page).toHaveURL(/key=/)
    const chosen = page.getByRole('region', { name: type.label, exact: true })
    await expect(chosen.getByRole('heading', { name: type.label })).toBeInViewport()
    await chosen.getByRole('button', { name: 'As a table' }).press('Enter')
    await expect(chosen.getByRole('table', { name: 'Points of the chart' })).toContainText('Europe/Paris')
    await chosen.getByRole('button', { name: 'As a chart' }).press('Enter')

    const csv = page.waitForEvent('download')
    await chosen.getByRole('link', { name: 'CSV' }).click()
    expect(readFileSync((await (await csv).path()) ?? '', 'utf8')).toContain(type.label)
    for (const [name, start, part] of [
      ['SVG', '<svg', '>no data</text>'],
      ['PNG', '\u0089PNG', 'IHDR'],
    ] as const) {
      const download = page.waitForEvent('download')
      await chosen.getByRole('button', { name }).press('Enter')
      const picture = readFileSync((await (await download).path()) ?? '', 'latin1')
      expect(picture.slice(0, 4)).toBe(start)
      expect(picture).toContain(part)
      if (name === 'SVG') expect(picture).toContain('@font-face{font-family:"Inter Variable"')
    }

    const ofWeek = page.waitForEvent('download')
    await week.getByRole('button', { name: 'SVG' }).press('Enter')
    const picture = readFileSync((await (await ofWeek).path()) ?? '', 'utf8')
    expect(picture).toContain(`Hours of the week, ${type.label}, vGPUs used on average`)

    await page.getByRole('button', { name: 'Fix range' }).press('Enter')
    await expect(page).toHaveURL(/from=.*until=/)
    await expectGoodLooks(page)

    await page.goto(`${cloud.url}/hosts/${HOST}?tab=history`)
    const history = page.getByRole('region', { name: 'History' })
    await expect(history.getByRole('img', { name: /vGPUs used in 30 days/ })).toBeVisible()
    await history.getByText('As a table').press('Enter')
    await expect(history.getByRole('table')).toContainText('Europe/Paris')
    await expect(history.getByRole('link', { name: 'Capacity' })).toHaveAttribute(
      'href',
      new RegExp(`/capacity\\?host=${HOST}`),
    )
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test('Without any history the page shows when it begins', async ({ page, empty }) => {
  await page.goto(`${empty.url}/capacity`)
  await expect(page.getByRole('heading', { name: 'No history yet' })).toBeVisible()
  const week = page.getByRole('region', { name: 'Hours of the week' })
  await expect(week).toContainText('No data in this range.')
  await expect(week.getByRole('table')).toHaveCount(0)
  await expect(week.getByRole('button', { name: 'CSV' })).toHaveAttribute('aria-disabled', 'true')
  await expectGoodLooks(page)
})

test('Each tab is in the address and loads only its own data, under the totals of the overview', async ({
  page,
  fleet,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const isRequested = (path: string) => requested.includes(path)
  await page.goto(`${fleet.url}/capacity?tab=forecast`)
  await expect(page.getByRole('tab', { name: 'Forecast' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('region', { name: 'Time until full' })).toBeVisible()
  await expect(page.locator('main header, header').filter({ hasText: 'Capacity' }).first()).toContainText(
    /vGPUs in total, \d+ in use/,
  )
  expect(isRequested('/api/v1/capacity')).toBe(false)
  expect(isRequested('/api/v1/idle-vgpus')).toBe(false)
  await page.getByRole('tab', { name: 'Idle' }).click()
  await expect(page).toHaveURL(/tab=idle/)
  await expect(page.getByRole('region', { name: 'Allocated but idle' })).toBeVisible()
  expect(isRequested('/api/v1/refused-demand')).toBe(false)
  await expectGoodLooks(page)
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Time until full' })).toBeVisible()
})

test.describe('while the history cannot be loaded', () => {
  test.use({ allowedConsoleErrors: [/500/] })

  test('each part of the page shows its own error, and can be retried', async ({ page, fleet }) => {
    const body = { error: { code: 'internal', message: 'The database does not answer.', requestId: 'r-1' } }
    const fail = (path: string) => page.route(path, (route) => route.fulfill({ status: 500, json: body }))
    await fail('**/api/v1/capacity?*')
    await fail('**/api/v1/capacity/week?*')
    await page.goto(`${fleet.url}/capacity`)
    await expect(
      page.getByRole('alert').filter({ hasText: 'The capacity could not be loaded' }),
    ).toContainText('The database does not answer.')
    await expect(
      page.getByRole('alert').filter({ hasText: 'The hours of the week could not be loaded' }),
    ).toBeVisible()
    await expectGoodLooks(page)
    await page.unrouteAll()
    const week = page.getByRole('alert').filter({ hasText: 'The hours of the week could not be loaded' })
    await week.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(page.getByRole('region', { name: 'Hours of the week' })).toBeVisible()
  })

  test('unknown refusals are not shown as none', async ({ page, fleet }) => {
    const body = { error: { code: 'internal', message: 'The database does not answer.', requestId: 'r-1' } }
    await page.route('**/api/v1/refused-demand?*', (route) => route.fulfill({ status: 500, json: body }))
    await page.goto(`${fleet.url}/flavors`)
    const alert = page.getByRole('alert').filter({ hasText: 'The refused GPU requests could not be loaded' })
    await expect(alert).toContainText('The database does not answer.')
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(alert).toHaveCount(0)
  })
})
