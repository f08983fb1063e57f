import type { Browser, Page } from '@playwright/test'

export type PageLoad = {
  lcpMs: number
  layoutShift: number
  /** From the list's answer, or when rows come with the page from its document's begin, to the first row; null without rows. */
  rowsMs: number | null
  scriptKb: number
  domNodes: number
}

/** Filter and sort: from the key or click to the end of the frame that shows other rows. */
export type Interaction = {
  inpMs: number
  filterMs: number
  sortMs: number
  frameP95Ms: number
  domNodes: number
}

export const CPU_SLOWDOWN = 4

/** Runs in the page before anything else: keeps what the browser measures, and when the first row came. */
const observe = () => {
  const recorded = {
    lcp: 0,
    shift: 0,
    events: [] as number[],
    documentBegan: performance.now(),
    firstRow: null as number | null,
    isOfPage: false,
    otherRowsMs: null as number | null,
  }
  Object.assign(window, { recorded })
  const on = (type: string, read: (entry: PerformanceEntry) => void, options: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({
      type,
      buffered: true,
      ...options,
    })
  on('largest-contentful-paint', (entry) => {
    recorded.lcp = entry.startTime
  })
  on('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!shift.hadRecentInput) recorded.shift += shift.value
  })
  const keepEvent = (entry: PerformanceEntry) => {
    if ((entry as PerformanceEntry & { interactionId: number }).interactionId > 0)
      recorded.events.push(entry.duration)
  }
  on('event', keepEvent, { durationThreshold: 16 })
  new MutationObserver((_, observer) => {
    if (document.querySelector('tr[data-index]') === null) return
    recorded.firstRow = performance.now()
    recorded.isOfPage = document.readyState === 'loading'
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
  let began: number | null = null
  for (const type of ['keydown', 'click'])
    addEventListener(type, ({ timeStamp }) => (began = timeStamp), { capture: true })
  new MutationObserver((changes) => {
    const since = began
    const isInList = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('tbody') != null
    if (since === null || !changes.some(isInList)) return
    began = null
    requestAnimationFrame(() =>
      setTimeout(() => {
        recorded.otherRowsMs = performance.now() - since
      }),
    )
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

type Recorded = {
  lcp: number
  shift: number
  events: number[]
  documentBegan: number
  firstRow: number | null
  isOfPage: boolean
  otherRowsMs: number | null
}

const readRecorded = (page: Page): Promise<Recorded> =>
  page.evaluate(() => (window as unknown as { recorded: Recorded }).recorded)

const domNodes = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)

/** Slows the processor down and has the page keep what `observe` keeps. */
const prepare = async (page: Page, slowdown: number): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  // tsx names inner functions with its own helper, which the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(observe)
}

/** Script bytes as they came over the wire, compressed. */
const countScripts = async (page: Page): Promise<() => number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes / 1000
}

/**
 * Rows that come with the page have their data at hand when the browser begins with the document. The end of its answer is none
 * to count from: bytes are read from the wire as the browser gets to them, so it lies a renderer's start before the first row
 * in one visit, and behind it in the next; and the list, requested in parallel, may be answered before they are parsed.
 */
const msSinceData = ({ firstRow, isOfPage, documentBegan }: Recorded, listAnswered: number): number | null =>
  firstRow === null ? null : firstRow - (isOfPage ? documentBegan : listAnswered)

/** One cold visit: an empty cache, a processor slowed down so many times. */
export const measureLoad = async (
  browser: Browser,
  url: string,
  { hasRows, slowdown }: { hasRows: boolean; slowdown: number },
): Promise<{ page: Page; load: PageLoad }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const scriptKb = await countScripts(page)
  await prepare(page, slowdown)
  await page.goto(url, { waitUntil: 'load' })
  if (hasRows) await page.locator('tr[data-index]').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2500)
  const recorded = await readRecorded(page)
  const listAnswered = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return all.find(({ name }) => /\/api\/v1\/gpus(\?|$)/.test(name))?.responseEnd ?? Number.NaN
  })
  return {
    page,
    load: {
      lcpMs: recorded.lcp,
      layoutShift: recorded.shift,
      rowsMs: msSinceData(recorded, listAnswered),
      scriptKb: scriptKb(),
      domNodes: await domNodes(page),
    },
  }
}

/** How long the rows took to follow what `act` does; the rest of the page has settled after a while. */
const untilOtherRows = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(() => {
    ;(window as unknown as { recorded: Recorded }).recorded.otherRowsMs = null
  })
  await act()
  await page.waitForTimeout(800)
  return (await readRecorded(page)).otherRowsMs ?? Number.NaN
}

/** Filters and sorts a list as a person does. */
const measureInput = async (page: Page): Promise<Omit<Interaction, 'frameP95Ms'>> => {
  const search = page.getByRole('searchbox', { name: /Filter by host/ })
  await search.click()
  const narrowMs = await untilOtherRows(page, () => page.keyboard.type('cmp-r01', { delay: 150 }))
  await page.keyboard.press('Control+A')
  const widenMs = await untilOtherRows(page, () => page.keyboard.press('Delete'))
  const sortMs = await untilOtherRows(page, () => page.getByRole('button', { name: /^Used/ }).click())
  const { events } = await readRecorded(page)
  const inpMs = Math.max(0, ...events)
  return { inpMs, filterMs: Math.max(narrowMs, widenMs), sortMs, domNodes: await domNodes(page) }
}

/** Scrolls by the wheel through some hundreds of rows: p95 of the time between frames. */
const measureFrames = async (page: Page): Promise<Pick<Interaction, 'frameP95Ms' | 'domNodes'>> => {
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          gaps.push(now - last)
          last = now
          if (gaps.length < 120) requestAnimationFrame(step)
          else resolve(gaps.slice(2))
        }
        requestAnimationFrame(step)
      }),
  )
  for (let turn = 0; turn < 40; turn += 1) {
    await page.mouse.wheel(0, 400)
    await page.waitForTimeout(30)
  }
  const gaps = (await frames).toSorted((a, b) => a - b)
  return {
    frameP95Ms: gaps[Math.floor(gaps.length * 0.95)] ?? Number.NaN,
    domNodes: await domNodes(page),
  }
}

/** Filters, sorts and scrolls the list as a person does. */
export const measureUse = async (page: Page): Promise<Interaction> => ({
  ...(await measureInput(page)),
  ...(await measureFrames(page)),
})
