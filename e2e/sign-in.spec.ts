import type { Page } from '@playwright/test'
import { seriousFindings } from './world/axe'
import { fillSignIn, openCloudWorld, signIn } from './world/cloud'
import { inEachLook } from './world/looks'
import { withSharedWorld } from './world/shared-world'
import { expect } from './world/test'

const test = withSharedWorld(openCloudWorld)

const account = (page: Page) => page.getByRole('button', { name: /^Account of/ })

test('A user who is not signed in is sent to sign-in, chooses by keyboard, and comes back to the page', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/gpus?model=T4`)
  await expect(page).toHaveURL(/\/login\?next=%2Fgpus%3Fmodel%3DT4$/)
  await expect(page.getByLabel('Name')).toBeFocused()
  await fillSignIn(page, 'admin')
  await expect(page.getByRole('heading', { name: 'Select a project or the system' })).toBeVisible()
  await page.getByRole('button', { name: /^System/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: /^admin/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${cloud.url}/gpus?model=T4`)
  await expect(page.getByRole('heading', { level: 1, name: 'GPUs' })).toBeVisible()
  await expect(account(page)).toContainText('System · admin')
})

test('Each scope shows its role, and the last choice of this browser is preselected', async ({
  page,
  cloud,
}) => {
  await page.goto(`${cloud.url}/login`)
  await fillSignIn(page, 'reader')
  const scopes = page.getByRole('group', { name: 'Project or system' })
  await expect(scopes.getByRole('button', { name: /^System/ })).toContainText('reader')
  await expect(scopes.getByRole('button', { name: /^cfd-lab/ })).toContainText('tenant')
  await expect(scopes.getByText('last used')).toHaveCount(0)
  await scopes.getByRole('button', { name: /^cfd-lab/ }).click()
  await expect(account(page)).toContainText('cfd-lab · tenant')
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await fillSignIn(page, 'reader')
  const last = scopes.getByRole('button').first()
  await expect(last).toContainText('last used')
  await expect(last).toBeFocused()
  await inEachLook(page)
  await page.keyboard.press('Enter')
  await expect(account(page)).toContainText('cfd-lab · tenant')
})

test('The account menu shows the account, and signs out', async ({ page, cloud }) => {
  await signIn(page, cloud, 'admin', /^System/)
  await account(page).click()
  await expect(page.getByText('Keystone roles: admin')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You have signed out.').or(page.getByLabel('Name')).first()).toBeVisible()
  await page.goto(`${cloud.url}/hosts`)
  await expect(page).toHaveURL(/\/login\?next=%2Fhosts$/)
})

test('Another project in the same session has another role', async ({ page, cloud }) => {
  await signIn(page, cloud, 'reader', /^System/)
  await expect(account(page)).toContainText('System · reader')
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Switch project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch project' })
  await expect(dialog.getByRole('button', { name: /^System/ })).toContainText('in use')
  await dialog.getByRole('button', { name: /cfd-lab/ }).click()
  await expect(account(page)).toContainText('cfd-lab · tenant')
})

test('A tenant finds nothing of the fleet', async ({ page, cloud }) => {
  await signIn(page, cloud, 'tenant', null)
  await page.goto(cloud.url)
  await expect(page).toHaveURL(`${cloud.url}/catalog`)
  for (const path of ['/gpus', '/hosts', '/settings/agents']) {
    await page.goto(`${cloud.url}${path}`)
    await expect(page.getByRole('heading', { name: 'You need the admin or reader role' })).toBeVisible()
  }
  await expect(page.getByRole('link', { name: 'GPUs' })).toHaveCount(0)
  const answers = await Promise.all(
    ['overview', 'gpus', 'hosts', 'agents', 'clouds', 'freshness', 'search?q=cmp'].map((path) =>
      page.request.get(`${cloud.url}/api/v1/${path}`).then((answer) => answer.status()),
    ),
  )
  expect(new Set(answers)).toEqual(new Set([403]))
})

test('A reader sees the agents and why no host can be added', async ({ page, cloud }) => {
  await signIn(page, cloud, 'reader', /^System/)
  await page.goto(`${cloud.url}/settings/agents`)
  const add = page.getByRole('button', { name: 'Add host' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await add.focus()
  await expect(page.getByText('To create a join token, you need the role admin').first()).toBeVisible()
  await add.click({ force: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('An API token is shown once, works for a script, and is revoked', async ({ page, cloud, request }) => {
  await signIn(page, cloud, 'admin', /^System/)
  await page.goto(`${cloud.url}/settings/api-tokens`)
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('nightly report')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await dialog.getByText(/^sbat_/).textContent()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/sbat_/)).toHaveCount(0)
  const ask = () =>
    request
      .get(`${cloud.url}/api/v1/hosts`, { headers: { authorization: `Bearer ${token}` } })
      .then((answer) => answer.status())
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Revoke the API token nightly report' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('region', { name: 'API tokens' })).toContainText('revoked')
  expect(await ask()).toBe(401)
})

test.describe('what is refused', () => {
  test.use({ allowedConsoleErrors: [/40[134]|50[23]/] })

  test('A wrong password is reported next to the field, and the right one continues', async ({
    page,
    cloud,
  }) => {
    await page.goto(`${cloud.url}/login`)
    await fillSignIn(page, 'tenant', { password: 'wrong' })
    await expect(page.getByText(/name, password or domain is not correct/)).toBeVisible()
    await expect(page.getByLabel('Password')).toBeFocused()
    await expect(page.getByLabel('Password')).toHaveValue('')
    await fillSignIn(page, 'tenant')
    await expect(account(page)).toContainText('cfd-lab · tenant')
  })

  test('An account with a second factor must enter its code, and continues with it', async ({
    page,
    cloud,
  }) => {
    test.slow()
    const user = cloud.openstack.cloud.keystone.users.find(({ name }) => name === 'm.ferrand')
    if (user === undefined) throw new Error('the tenant has no account')
    user.factorRules = [['password', 'totp']]
    user.passcode = '287082'
    try {
      await page.goto(`${cloud.url}/login`)
      await expect(page.getByLabel('One-time code')).toHaveCount(0)
      await fillSignIn(page, 'tenant')
      const code = page.getByLabel('One-time code')
      await expect(code).toBeFocused()
      await expect(page.getByText(/requires a one-time code for this account/)).toBeVisible()
      expect(await seriousFindings(page)).toEqual([])
      await code.fill('111111')
      await code.press('Enter')
      await expect(page.getByText(/one-time code is not correct/)).toBeVisible()
      await expect(code).toHaveValue('')
      await code.fill('287082')
      await code.press('Enter')
      await expect(account(page)).toContainText('cfd-lab · tenant')
    } finally {
      delete user.factorRules
      delete user.passcode
    }
  })

  test('An account without a role on any project gets that message', async ({ page, cloud }) => {
    const { keystone } = cloud.openstack.cloud
    const user = keystone.users.find(({ name }) => name === 'nova')
    const { assignments } = keystone
    keystone.assignments = assignments.filter(({ userId }) => userId !== user?.id)
    await page.goto(`${cloud.url}/login`)
    await page.getByLabel('Name').fill('nova')
    await page.getByLabel('Password').fill('demo-nova')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'has no role on any project' })).toBeVisible()
    keystone.assignments = assignments
  })

  test('A session that ends elsewhere is reported, keeps the page, and leads back to it', async ({
    page,
    cloud,
    elsewhere: openElsewhere,
  }) => {
    const elsewhere = await openElsewhere()
    await signIn(elsewhere, cloud, 'otherTenant', null)
    await signIn(page, cloud, 'otherTenant', null)
    await page.goto(`${cloud.url}/settings/sessions`)
    await expect(page.getByRole('button', { name: /^End the session from/ })).toHaveCount(1)
    await elsewhere.goto(`${cloud.url}/settings/sessions`)
    await expect(elsewhere.getByRole('region', { name: 'Your sessions' })).toContainText('this one')
    await elsewhere.getByRole('button', { name: 'End other sessions' }).click()
    await elsewhere.getByRole('dialog').getByRole('button', { name: 'End other sessions' }).click()
    await expect(elsewhere.getByRole('button', { name: 'End other sessions' })).toHaveCount(0)
    await page
      .getByRole('button', { name: /^End the session from/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
    const sentence = 'This session was ended from another one of yours.'
    await expect(page.getByRole('dialog')).toContainText(sentence)
    await page.keyboard.press('Escape')
    const notice = page.getByRole('alertdialog', { name: 'Signed out' })
    await expect(notice).toContainText(sentence)
    await notice.getByRole('link', { name: 'Sign in again' }).click()
    await expect(page).toHaveURL(/next=%2Fsettings%2Fsessions$/)
    await expect(page.getByRole('status')).toContainText('ended from another one of yours')
    await fillSignIn(page, 'otherTenant')
    await expect(page).toHaveURL(`${cloud.url}/settings/sessions`)
  })

  test('Keystone that does not answer gives a sentence with a request id', async ({ page }) => {
    const world = await openCloudWorld()
    try {
      await page.goto(`${world.url}/login`)
      await world.openstack.stop()
      await fillSignIn(page, 'tenant')
      await expect(
        page.getByRole('alert').filter({ hasText: /not available at the moment.*request ID/ }),
      ).toBeVisible()
    } finally {
      await page.close()
      await world.stop()
    }
  })
})

test.describe('an account with too many requests', () => {
  test.use({ allowedConsoleErrors: [/429|500|React error #441/] })

  test('It gets that message in place of the page, and continues a little later', async ({ page }) => {
    const world = await openCloudWorld({ SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND: '10' })
    try {
      await signIn(page, world, 'reader', /^System/)
      const seen = new Set<number>()
      let isOver = false
      const askOn = async () => {
        while (!isOver) seen.add((await page.request.get(`${world.url}/api/v1/clouds`)).status())
      }
      const asking = Promise.all(Array.from({ length: 20 }, askOn))
      try {
        await expect.poll(() => seen.has(429)).toBe(true)
        // Each tenth of a second gives one request back, which the page may be the one to get.
        await expect(async () => {
          await page.goto(`${world.url}/hosts`)
          await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible({
            timeout: 3000,
          })
        }).toPass()
      } finally {
        isOver = true
        await asking
      }
      expect(await seriousFindings(page)).toEqual([])
      await expect(async () => {
        await page.getByRole('button', { name: 'Try again' }).press('Enter')
        await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible({ timeout: 3000 })
      }).toPass()
    } finally {
      await page.close()
      await world.stop()
    }
  })
})

test.describe('through an identity provider', () => {
  // The simulated Keystone has no icon for its page.
  test.use({ allowedConsoleErrors: [/404/] })

  test('The company login leads through Keystone, from another site, and back to the page', async ({
    page,
    cloud,
  }) => {
    // Keystone is on 127.0.0.1, so for the browser this console is another site.
    const url = cloud.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${url}/settings/sessions`)
    await page.getByRole('link', { name: 'Company login' }).click()
    await expect(page).toHaveURL(`${url}/settings/sessions`)
    await expect(account(page)).toContainText('cfd-lab · tenant')
  })
})

test('A token that comes without a sign-in in this browser opens nothing', async ({ page, cloud }) => {
  const answer = await page.request.post(`${cloud.url}/api/v1/session/websso`, {
    form: { token: 'gAAAAABslipped-in' },
    headers: { origin: 'http://evil.example' },
  })
  expect(new URL(answer.url()).pathname).toBe('/login')
  expect(await answer.text()).toContain('this browser had not started a sign-in')
})

test('Signing in works without a serious accessibility finding', async ({ page, cloud }) => {
  await page.goto(`${cloud.url}/login`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await inEachLook(page)
  await fillSignIn(page, 'admin')
  await expect(page.getByRole('button', { name: /^System/ })).toBeVisible()
  await inEachLook(page)
})

test('Sessions and API tokens have no serious accessibility finding', async ({ page, cloud }) => {
  await page.goto(`${cloud.url}/login`)
  await fillSignIn(page, 'admin')
  await page.getByRole('button', { name: /^System/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  for (const [path, title] of [
    ['/settings/sessions', 'Sessions'],
    ['/settings/api-tokens', 'API tokens'],
  ] as const) {
    await page.goto(`${cloud.url}${path}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await inEachLook(page)
  }
})
