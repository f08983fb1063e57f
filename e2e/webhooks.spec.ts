import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectGoodLooks } from './world/looks'
import { openWorld } from './world/open-world'
import { expect, test } from './world/test'

/** Accepts everything until it is switched to fail. */
const openReceiver = async () => {
  const bodies: string[] = []
  let status = 200
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const part of req) body += part
    bodies.push(body)
    res.writeHead(status).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    fail: () => {
      status = 503
    },
    close: () => server.close(),
  }
}

test.use({ allowedConsoleErrors: [/400/] })

test('A webhook is added, tried, looked up in its log and deleted', async ({ page }) => {
  test.setTimeout(180_000)
  const world = await openWorld({ SLICEBOARD_WEBHOOK_HOSTS: 'http://127.0.0.1' })
  const receiver = await openReceiver()
  try {
    await page.goto(`${world.url}/settings/webhooks`)
    await expect(page.getByRole('heading', { name: 'No webhook yet' })).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('on call')
    await dialog.getByLabel('Address').fill('https://169.254.169.254/latest')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await expect(dialog.getByText(/link-local or reserved and is never called/)).toBeVisible()
    await dialog.getByLabel('Address').fill(receiver.address)
    await expectGoodLooks(page)
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await expect(dialog.getByText(/^sbws_/)).toBeVisible()
    await expectGoodLooks(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(/sbws_/)).toHaveCount(0)

    const panel = page.getByRole('region', { name: 'on call', exact: true })
    await expect(panel).toContainText('not used yet')
    await panel.getByRole('button', { name: 'Send test to on call' }).click()
    await expect(panel.getByRole('status')).toContainText('Delivered: status 200')
    expect(JSON.parse(receiver.bodies[0] ?? '')).toMatchObject({
      version: 1,
      event: 'test',
      cloud: 'paris-prod',
    })
    receiver.fail()
    await panel.getByRole('button', { name: 'Send test to on call' }).click()
    await expect(panel.getByRole('status')).toContainText('Failed: it answers 503')
    await expect(panel).toContainText('failed')

    await panel.getByRole('button', { name: 'Log of the webhook on call' }).focus()
    await page.keyboard.press('Enter')
    const log = page.getByRole('region', { name: 'Log of on call' })
    await expect(log.getByRole('row', { name: /it answers 503/ })).toBeVisible()
    await log.getByRole('button', { name: /^Body/ }).last().click()
    await expect(log.getByText('"event": "test"')).toBeVisible()
    await expectGoodLooks(page)

    await panel.getByRole('button', { name: 'Delete the webhook on call' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByRole('heading', { name: 'No webhook yet' })).toBeVisible()
  } finally {
    receiver.close()
    await page.close()
    await world.stop()
  }
})
