import type { Browser, Page } from '@playwright/test'

type Seen = { used: string; at: number }

/** Runs in the page before anything else: keeps when the used numbers of the rows became others, on the page's own clock. */
const observe = () => {
  const seen: Seen[] = []
  Object.assign(window, { seen })
  new MutationObserver(() => {
    const rows = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-index]')]
    if (rows.length === 0) return
    const cellsOf = (row: HTMLTableRowElement) => [...row.cells].map(({ textContent }) => textContent)
    const used = rows.map((row) => cellsOf(row).find((text) => /^\d+ \/ \d+/.test(text)) ?? '').join()
    if (used !== seen.at(-1)?.used) seen.push({ used, at: Date.now() })
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

export type WatchedPage = {
  /** How many states of the rows were seen so far. */
  count: () => Promise<number>
  /** When the state of that number was seen (ms since the epoch); waits for it. */
  seenAt: (number: number) => Promise<number>
}

/** The GPUs list in a browser, with the rows of one host. */
export const watchPage = async (browser: Browser, url: string): Promise<WatchedPage> => {
  const page: Page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // tsx names inner functions with its own helper, which the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(observe)
  await page.goto(url, { waitUntil: 'load' })
  await page.locator('tr[data-index]').first().waitFor()
  return {
    count: () => page.evaluate(() => (window as unknown as { seen: Seen[] }).seen.length),
    seenAt: async (number) => {
      const at = await page.waitForFunction(
        (wanted) => (window as unknown as { seen: Seen[] }).seen[wanted]?.at ?? null,
        number,
        { timeout: 60_000, polling: 50 },
      )
      return Number(await at.jsonValue())
    },
  }
}
