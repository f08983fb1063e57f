import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { apiToken, firstRound, joinToken, openCloudWorld, signIn } from './world/cloud'
import { expectGoodLooks } from './world/looks'
import { reportHosts } from './world/report-hosts'
import { expect, test } from './world/test'

const examples = (): string[] =>
  [...readFileSync(path.resolve('docs/api.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, lines = '']) => lines,
  )

test('The documented examples for scripts run as they stand', async ({ page }) => {
  test.setTimeout(180_000)
  const world = await openCloudWorld({ SLICEBOARD_READ_INTERVAL_SECONDS: '1' })
  const folder = makeTemporaryDirectory('api')
  try {
    await signIn(page, world, 'admin', /^System/)
    const hosts = world.openstack.world.hosts.map(({ living }) => living.spec())
    await reportHosts({ url: world.url, folder, hosts, joinToken: await joinToken(page, world) })
    await firstRound(world, page)
    const env = { ...process.env, SLICEBOARD: world.url, TOKEN: await apiToken(page, world) }
    expect(examples().length).toBeGreaterThan(4)
    for (const example of examples()) {
      const said = execFileSync('bash', ['-euo', 'pipefail', '-c', example], { env, encoding: 'utf8' })
      expect(said.trim(), example).not.toBe('')
      if (example.includes('If-None-Match')) expect(said.trim()).toBe('304')
    }
  } finally {
    await page.close()
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('The API’s page opens an operation by keyboard and leads to the whole description @themes @narrow', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/settings/api`)
  const operation = page.getByRole('listitem').filter({ hasText: '/api/v1/changes/{id}/actions' })
  await operation.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(operation.getByText('Takes the role admin. No API token may.')).toBeVisible()
  await expect(operation.getByText('JSON Schema of the body')).toBeVisible()
  await expectGoodLooks(page)
  const link = page.getByRole('link', { name: 'openapi.json' })
  const described = await page.request.get(`${fleet.url}${await link.getAttribute('href')}`)
  expect(await described.json()).toMatchObject({ openapi: '3.1.0' })
})
