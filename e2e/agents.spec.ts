import type { AgentSettings, CreatedJoinToken } from '@/lib/schemas/api/agents'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { pressByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

/** As a console would answer that has made a token; one that tests share makes none. */
const madeToken = (): CreatedJoinToken => ({
  id: 7,
  label: 'GPU hosts',
  hostName: null,
  maxUses: 10,
  uses: 0,
  createdBy: 'user:local-admin',
  createdAt: '2026-11-25T00:00:00.000Z',
  expiresAt: '2026-11-25T02:00:00.000Z',
  state: 'usable',
  token: 'sbjt_x',
  installCommand: 'curl -fsSL http://console/install.sh | sudo sh',
})

test('Adding a host gives a command and a token, shown once, and reports when the host is enrolled', async ({
  page,
}) => {
  const world = await openWorld()
  try {
    await page.goto(`${world.url}/settings/agents`)
    await page.getByRole('button', { name: 'Add host' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Label').fill('rack 2')
    await expectGoodLooks(page)
    await dialog.getByRole('button', { name: 'Create join token' }).click()
    await expect(dialog.getByText(/^curl .*install\.sh \| sudo sh$/)).toBeVisible()
    await expect(dialog.getByText(/^sbjt_/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Copy the install command' })).toBeFocused()
    await expectGoodLooks(page)
    await expect(dialog.getByRole('status')).toContainText('Waiting for the first report')
    await world.report([t4SeedHost])
    await expect(dialog.getByRole('status')).toContainText('ip-172-31-12-209 reports')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(/sbjt_/)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Join tokens' })).toContainText('rack 2')
  } finally {
    await page.close()
    await world.stop()
  }
})

test.describe('with a console that does not answer', () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource/] })

  test('Adding a host confirms it, and continues to wait after an error', async ({ page, empty }) => {
    await page.route('**/api/v1/join-tokens', (route) => route.fulfill({ status: 201, json: madeToken() }))
    await page.goto(`${empty.url}/settings/agents`)
    await page.getByRole('button', { name: 'Add host' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create join token' }).click()
    await expect(dialog.getByRole('status')).toContainText('Waiting for the first report')
    const body = { error: { code: 'internal', message: 'Something failed.', requestId: 'r-1' } }
    await page.route('**/api/v1/agents*', (route) => route.fulfill({ status: 500, json: body }))
    await expect(dialog.getByRole('alert')).toContainText('The join status could not be refreshed')
    await page.unroute('**/api/v1/agents*')
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await expect(dialog.getByRole('status')).toContainText('Waiting for the first report')
  })
})

test.describe('what the server refuses', () => {
  test.use({ allowedConsoleErrors: [/400/] })

  test('A wrong entry shows the error next to the field, and nothing is created', async ({ page, empty }) => {
    await page.goto(`${empty.url}/settings/agents`)
    await page.getByRole('button', { name: 'Add host' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Only this host (optional)').fill('not a host name')
    await dialog.getByRole('button', { name: 'Create join token' }).click()
    await expect(dialog.getByLabel('Only this host (optional)')).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByText(/must be a host name/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Join tokens' })).toContainText('No join token yet')
  })
})

test('Revoking a credential needs a confirmation and is shown immediately, by keyboard alone', async ({
  page,
}) => {
  const world = await openWorld()
  try {
    await world.report([t4SeedHost])
    await page.goto(`${world.url}/settings/agents`)
    await pressByKeyboard(
      page,
      page.getByRole('button', { name: 'Revoke the credential of ip-172-31-12-209' }),
    )
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await expectGoodLooks(page)
    await pressByKeyboard(page, dialog.getByRole('button', { name: 'Revoke credential' }))
    await expect(page.getByRole('region', { name: 'Agents' })).toContainText('revoked')
    await expect(page.getByRole('button', { name: 'Revoke the credential of ip-172-31-12-209' })).toHaveCount(
      0,
    )
  } finally {
    await page.close()
    await world.stop()
  }
})

test('A request to replace the credential of a host that reports waits for an admin', async ({ page }) => {
  const world = await openWorld()
  try {
    await world.report([t4SeedHost])
    const settings = (await (await page.request.get(`${world.url}/api/v1/agents`)).json()) as AgentSettings
    const created = await page.request.post(`${world.url}/api/v1/join-tokens`, {
      headers: { origin: world.url },
      data: { cloud: settings.cloud, label: 'rack 2', lifetimeMinutes: 60, maxUses: 5, hostName: null },
    })
    const { token } = (await created.json()) as CreatedJoinToken
    const enroll = () =>
      page.request.post(`${world.url}/api/agent/v1/enroll`, {
        headers: { authorization: `Bearer ${token}` },
        data: { contractVersion: 1, hostName: 'ip-172-31-12-209', agentVersion: '0.1.0' },
      })
    const held = await enroll()
    expect(held.status()).toBe(429)
    const code = /request ([0-9a-f]{8}) /.exec(await held.text())?.[1] ?? 'none'
    await page.goto(`${world.url}/settings/agents`)
    const requests = page.getByRole('region', { name: 'Enrollment requests' })
    await expect(requests).toContainText('ip-172-31-12-209')
    await expect(requests).toContainText(code)
    await expectGoodLooks(page)
    await requests.getByRole('button', { name: `Approve: request ${code} of ip-172-31-12-209` }).click()
    await page.getByRole('button', { name: 'Approve enrollment' }).click()
    await expect(requests).toContainText('approved')
    expect((await enroll()).status()).toBe(201)
    await expect(requests).toHaveCount(0)
  } finally {
    await page.close()
    await world.stop()
  }
})
