import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flavorListSchema } from '@/lib/schemas/api/flavor'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openWorld } from '@/simulator/world/open-world'
import { restoreYearTo, YEAR, YEAR_SECRET } from '@/simulator/year-old-database/year-dump'
import { firstRound } from './world/cloud'
import { cloudsYaml } from './world/clouds-yaml'
import { startConsole } from './world/console-process'
import { expect, test } from './world/test'

/** Varying parts of addresses, as this database has them. */
const VALUES: Readonly<Record<string, string>> = {
  host: 'cmp-r2-07',
  address: '0000:e7:00.0',
  type: 'nvidia-320',
}
const IDS: Readonly<Record<string, string>> = { findings: '3', changes: '7', reviews: '10', requests: '3' }
const QUERIES: Readonly<Record<string, string>> = { '/capacity/reviews/preview': '?period=2026-10' }

/** The pages of admins and readers, by their folders. */
const pages = (flavorId: string): string[] =>
  readdirSync('app/(console)', { recursive: true, encoding: 'utf8' })
    .filter((file) => path.posix.basename(file) === 'page.tsx')
    .map((file) => {
      const folders = path.posix.dirname(file).split('/')
      const address = folders.map((name, index) => {
        const varying = /^\[(\w+)\]$/.exec(name)?.[1]
        if (varying === undefined) return name
        if (varying === 'flavor') return flavorId
        const value = varying === 'id' ? IDS[folders[index - 1] ?? ''] : VALUES[varying]
        if (value === undefined)
          throw new Error(`${file} has the parameter ${varying}, for which the test has no value`)
        return value
      })
      return `/${address.join('/')}`.replace(/\/\.$/, '/')
    })
    .toSorted()

test('A database of the release before, with a year of history, opens on every page', async ({ page }) => {
  test.setTimeout(400_000)
  const folder = makeTemporaryDirectory('year')
  const dataDirectory = path.join(folder, 'data')
  await restoreYearTo(dataDirectory)
  const { seed, hostCount } = YEAR
  const fleet = demoFleet({ seed, startAt: YEAR.end, hostCount })
  const world = openWorld({ fleet, seed, startAt: YEAR.end, directory: path.join(folder, 'hosts') })
  const openstack = await startOpenStack({ world, seed })
  const file = path.join(folder, 'clouds.yaml')
  writeFileSync(file, cloudsYaml(openstack.authUrl))
  const console = await startConsole({
    SLICEBOARD_DATA_DIR: dataDirectory,
    SLICEBOARD_SECRET: YEAR_SECRET,
    SLICEBOARD_OPENSTACK: 'auto',
    SLICEBOARD_SIGN_IN: 'off',
    SLICEBOARD_READ_INTERVAL_SECONDS: '1',
    OS_CLIENT_CONFIG_FILE: file,
  })
  try {
    await firstRound(console)
    const answer = await fetch(`${console.url}/api/v1/flavors`)
    const flavor = flavorListSchema.parse(await answer.json()).flavors?.[0]
    if (flavor === undefined) throw new Error('the console lists no flavors')
    const addresses = pages(flavor.id)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
    expect(addresses.length).toBeGreaterThan(35)
    for (const address of addresses) {
      const response = await page.goto(`${console.url}${address}${QUERIES[address] ?? ''}`)
      expect.soft(response?.status(), address).toBe(200)
      await expect.soft(page.getByRole('heading', { level: 1 }), address).toBeVisible()
      await expect.soft(page.getByRole('status', { name: /^Loading/ }), address).toHaveCount(0)
      await expect.soft(page.getByRole('button', { name: 'Try again' }), address).toHaveCount(0)
    }
    await page.goto(`${console.url}/capacity/reviews/10`)
    await expect(page.getByText('4417afec9d15').first()).toBeAttached()
    expect(errors).toEqual([])
  } finally {
    await page.close()
    await console.stop()
    await openstack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
