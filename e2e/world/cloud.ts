import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Page, request } from '@playwright/test'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { CLOUD, cloudsYaml } from './clouds-yaml'
import { type ConsoleProcess, startConsole } from './console-process'
import { expect } from './test'

/** A console whose people sign in through a simulated cloud. */
export type CloudWorld = {
  url: string
  console: ConsoleProcess
  openstack: OpenStackSimulator
  stop: () => Promise<void>
}

/** Where WebSSO comes back to is known only when the console listens, so Keystone is configured afterwards. */
const trust = (openstack: OpenStackSimulator, url: string): void => {
  const { keystone } = openstack.cloud
  const tenant = keystone.users.find(({ name }) => name === DEMO_ACCOUNTS.tenant.name)
  keystone.trustedDashboards = [url, url.replace('127.0.0.1', 'localhost')].map(
    (origin) => `${origin}/api/v1/session/websso`,
  )
  keystone.identityProviders = [{ id: 'keycloak', protocols: ['openid'], userId: tenant?.id ?? '' }]
}

export const openCloudWorld = async (
  env: Record<string, string> = {},
  { hostCount = 1 }: { hostCount?: number } = {},
): Promise<CloudWorld> => {
  const folder = makeTemporaryDirectory('cloud')
  const openstack = await startOpenStack({ hostCount })
  const file = path.join(folder, 'clouds.yaml')
  writeFileSync(file, cloudsYaml(openstack.authUrl))
  const console = await startConsole({
    SLICEBOARD_OPENSTACK: 'auto',
    OS_CLIENT_CONFIG_FILE: file,
    SLICEBOARD_WEBSSO: 'Company login=keycloak/openid',
    ...env,
  })
  trust(openstack, console.url)
  return {
    url: console.url,
    console,
    openstack,
    stop: async () => {
      await console.stop()
      await openstack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Resolves when the cloud was read once. Until then pages that need its answers are refused with 503, which a browser counts
 * as an error. `page`: signed in, where the console requires it.
 */
export const firstRound = async ({ url }: { url: string }, page?: Page): Promise<void> => {
  const api = page?.request ?? (await request.newContext())
  const hasEnded = async () => {
    const answer = await api.get(`${url}/api/v1/cloud-reading`)
    return answer.ok() && ((await answer.json()) as CloudReadingDto).round !== null
  }
  try {
    await expect.poll(hasEnded, { timeout: 60_000 }).toBe(true)
  } finally {
    if (page === undefined) await api.dispose()
  }
}

/** A join token for some hosts, made with what the signed-in admin of `page` may do. */
export const joinToken = async (page: Page, { url }: { url: string }): Promise<string> => {
  const answer = await page.request.post(`${url}/api/v1/join-tokens`, {
    headers: { origin: url },
    data: { cloud: CLOUD, label: 'browser tests', lifetimeMinutes: 30, maxUses: 9, hostName: null },
  })
  return ((await answer.json()) as { token: string }).token
}

/** An API token that reads, of whom `page` is signed in as. */
export const apiToken = async (page: Page, { url }: { url: string }): Promise<string> => {
  const answer = await page.request.post(`${url}/api/v1/api-tokens`, {
    headers: { origin: url },
    data: { label: 'browser tests', access: 'read', lifetimeDays: 30 },
  })
  return ((await answer.json()) as { token: string }).token
}

/** Fills the form and presses Enter, as people do. */
export const fillSignIn = async (
  page: Page,
  account: keyof typeof DEMO_ACCOUNTS,
  given: { password?: string } = {},
): Promise<void> => {
  const { name, password, domain } = DEMO_ACCOUNTS[account]
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Domain').fill(domain)
  await page.getByLabel('Password').fill(given.password ?? password)
  await page.getByLabel('Password').press('Enter')
}

/** Signs in and takes up a scope by its name, where there is a choice. */
export const signIn = async (
  page: Page,
  world: CloudWorld,
  account: keyof typeof DEMO_ACCOUNTS,
  scope: RegExp | null,
): Promise<void> => {
  await page.goto(`${world.url}/login`)
  await fillSignIn(page, account)
  if (scope !== null) await page.getByRole('button', { name: scope }).first().click()
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
}
