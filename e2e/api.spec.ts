import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { apiToken } from './world/cloud'
import { expectGoodLooks } from './world/looks'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

const examples = (): string[] =>
  [...readFileSync(path.resolve('docs/api.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, lines = '']) => lines,
  )

test('The documented examples for scripts run unchanged', async ({ page }) => {
  test.setTimeout(180_000)
  await inReportedCloud({ page, as: /^System/ }, async (world) => {
    const env = { ...process.env, SLICEBOARD: world.url, TOKEN: await apiToken(page, world) }
    expect(examples().length).toBeGreaterThan(4)
    for (const example of examples()) {
      const output = execFileSync('bash', ['-euo', 'pipefail', '-c', example], { env, encoding: 'utf8' })
      expect(output.trim(), example).not.toBe('')
      if (example.includes('If-None-Match')) expect(output.trim()).toBe('304')
    }
  })
})

test('The API’s page opens an operation by keyboard and leads to the whole description', async ({
  page,
  fleet,
}) => {
  await page.goto(`${fleet.url}/settings/api`)
  const operation = page.getByRole('listitem').filter({ hasText: '/api/v1/changes/{id}/actions' })
  await operation.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(operation.getByText('Requires the role admin. API tokens are not accepted.')).toBeVisible()
  await expect(operation.getByText('JSON schema of the request body')).toBeVisible()
  await expectGoodLooks(page)
  const link = page.getByRole('link', { name: 'openapi.json' })
  const described = await page.request.get(`${fleet.url}${await link.getAttribute('href')}`)
  expect(await described.json()).toMatchObject({ openapi: '3.1.0' })
})
