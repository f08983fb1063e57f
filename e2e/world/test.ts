import { rmSync } from 'node:fs'
import { test as base, expect, type Page } from '@playwright/test'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { type ConsoleProcess, startConsole } from './console-process'
import { reportHosts } from './report-hosts'

/** A console with its own database, and a folder for simulated hosts. */
export type World = {
  console: ConsoleProcess
  url: string
  /** Hosts report once, with the built agent. */
  report: (hosts: readonly HostSpec[]) => Promise<void>
  stop: () => Promise<void>
}

export const openWorld = async (env: Record<string, string> = {}): Promise<World> => {
  const folder = makeTemporaryDirectory('world')
  const console = await startConsole(env)
  return {
    console,
    url: console.url,
    report: (hosts) => reportHosts({ url: console.url, folder, hosts }),
    stop: async () => {
      await console.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type WorkerWorlds = {
  /** Every fixture host has reported once. Shared by the tests of a worker, so they only look. */
  fleet: World
  /** No host was ever added. Only looked at, too. */
  empty: World
}

/** A press on what the server has drawn is lost until React has taken it over. */
const isTakenOver = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button, main a')].every((control) =>
      Object.keys(control).some((key) => key.startsWith('__reactFiber$')),
    ),
  )

type Guards = { failOnConsoleErrors: undefined }

/** What the Content-Security-Policy keeps back; no test may allow it. */
const VIOLATION = /Content Security Policy|violates the following/i

const tellViolations = () => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
    // biome-ignore lint/suspicious/noConsole: by its console a page tells the test
    console.error(`Content Security Policy: ${effectiveDirective} keeps ${blockedURI} back in ${sourceFile}`)
  })
}

/** Console errors that a test provokes on purpose are named here with `test.use({ allowedConsoleErrors: [...] })`. */
type Options = { allowedConsoleErrors: RegExp[] }

export const test = base.extend<Guards & Options, WorkerWorlds>({
  fleet: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      // Hosts that reported once would fall silent while a long run still looks at them.
      const world = await openWorld({ SLICEBOARD_SILENT_AFTER_SECONDS: '86400' })
      await world.report(Object.values(FIXTURE_HOSTS))
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  empty: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const world = await openWorld()
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page)
    page.goto = async (...args) => {
      const response = await goto(...args)
      await expect.poll(() => isTakenOver(page), { timeout: 60_000 }).toBe(true)
      return response
    }
    await use(page)
  },
  allowedConsoleErrors: [[], { option: true }],
  failOnConsoleErrors: [
    async ({ page, allowedConsoleErrors }, use) => {
      const unexpected: string[] = []
      const note = (text: string) => {
        const isAllowed = allowedConsoleErrors.some((allowed) => allowed.test(text))
        if (!isAllowed || VIOLATION.test(text)) unexpected.push(text)
      }
      await page.addInitScript(tellViolations)
      page.on('console', (message) => {
        if (message.type() === 'error') note(message.text())
      })
      page.on('pageerror', (error) => note(error.message))
      await use(undefined)
      if (unexpected.length > 0) throw new Error(`Errors in the browser's console:\n${unexpected.join('\n')}`)
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
