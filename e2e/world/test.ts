import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { RunWorldName } from './run-worlds'

/** Consoles that the whole run shares (run-worlds.ts), so tests only read them. */
type RunWorlds = Record<RunWorldName, { url: string }>

/** The first caller waits until it is opened. */
const runWorld = async (name: RunWorldName): Promise<{ url: string }> => {
  const answer = await fetch(`${process.env.SLICEBOARD_RUN_WORLDS}/${name}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The ${name} of this run did not open: ${text}`)
  return { url: text }
}

/** A press on what the server has drawn is lost until React has taken it over. */
const isTakenOver = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button, main a')].every((control) =>
      Object.keys(control).some((key) => key.startsWith('__reactFiber$')),
    ),
  )

type Guards = {
  /** Gives a page in a separate browser, with the same view of its console. */
  elsewhere: () => Promise<Page>
  /** Collects errors and warnings of a page's console that are not allowed. */
  watchConsole: (page: Page) => Promise<void>
}

/** What the Content-Security-Policy keeps back; no test may allow it. */
const VIOLATION = /Content Security Policy|violates the following/i

const reportViolations = () => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
    // biome-ignore lint/suspicious/noConsole: a page reports to the test by its console
    console.error(`Content Security Policy: ${effectiveDirective} keeps ${blockedURI} back in ${sourceFile}`)
  })
}

/** Console errors that a test provokes on purpose are named here with `test.use({ allowedConsoleErrors: [...] })`. */
type Options = { allowedConsoleErrors: RegExp[] }

export const test = base.extend<Guards & Options, RunWorlds>({
  fleet: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => use(await runWorld('fleet')),
    { scope: 'worker', timeout: 120_000 },
  ],
  empty: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => use(await runWorld('empty')),
    { scope: 'worker', timeout: 120_000 },
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
  watchConsole: [
    async ({ page, allowedConsoleErrors }, use) => {
      const unexpected: string[] = []
      const note = (text: string) => {
        const isAllowed = allowedConsoleErrors.some((allowed) => allowed.test(text))
        if (!isAllowed || VIOLATION.test(text)) unexpected.push(text)
      }
      const watch = async (one: Page): Promise<void> => {
        await one.addInitScript(reportViolations)
        one.on('console', (message) => {
          if (message.type() === 'error') note(message.text())
        })
        one.on('pageerror', (error) => note(error.message))
      }
      await watch(page)
      await use(watch)
      if (unexpected.length > 0) throw new Error(`Errors in the browser's console:\n${unexpected.join('\n')}`)
    },
    { auto: true },
  ],
  elsewhere: async ({ browser, watchConsole }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await watchConsole(page)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

export { expect } from '@playwright/test'
