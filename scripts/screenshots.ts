/**
 * `npm run screenshots`: the README's pictures, taken from the running demo. Starts its own demo in a temporary folder,
 * or uses one that runs, and then changes nothing there: `npm run screenshots -- http://127.0.0.1:3000`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import { freshnessSchema } from '@/lib/schemas/api/fleet'
import { reviewListSchema } from '@/lib/schemas/api/review'
import { apiPaths, capacityPath, gpusPath, overviewPath, reviewPath } from '@/lib/util/paths'
import { beginChange, planChange } from './screenshots-run/begin-change'
import { BROWSER_FLAGS, ensureBrowser } from './testing/browser'

const OUTPUT = path.join('docs', 'images')
/** Until all hosts have reported and the one that falls silent has been quiet long enough. */
const SETTLED_LIMIT_MS = 600_000
/** Models whose cards show all that a bar can hold, few enough for one screen. */
const MODELS = ['NVIDIA A40', 'NVIDIA A100-PCIE-40GB', 'NVIDIA A2']

/** `ready`: what the page has to show first. */
type Picture = { name: string; path: string; ready: (page: Page) => Locator }

/** The panels of the overview load after its first paint. */
const trend = (page: Page) => page.getByRole('img', { name: /^vGPUs in use over/ })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: overviewPath(), ready: trend },
  {
    name: 'gpus',
    path: `${gpusPath()}?${new URLSearchParams(MODELS.map((model) => ['model', model]))}`,
    ready: (page) => page.locator('tr[data-index]').first(),
  },
  {
    name: 'capacity',
    path: capacityPath({ search: { days: '90' } }),
    // The chart's own script comes after the page.
    ready: (page) => page.locator('main [role="img"] svg path.recharts-curve').first(),
  },
]

const frozenMonth = async (url: string): Promise<number | undefined> => {
  const answer = await fetch(new URL(apiPaths.reviews(), url))
  const { periods } = reviewListSchema.parse(await answer.json())
  const month = periods.find(({ kind, state }) => kind === 'month' && state === 'closed')
  return month?.reviews.find(({ filter }) => filter.by === 'all')?.id
}

/** The last month, once the console has frozen it. */
const reviewPicture = async (url: string): Promise<Picture> => {
  const deadline = Date.now() + SETTLED_LIMIT_MS
  for (;;) {
    const id = await frozenMonth(url)
    if (id !== undefined) {
      const ready = (page: Page) => page.getByRole('article').locator('svg path').first()
      return { name: 'review', path: reviewPath({ cloud: null, id }), ready }
    }
    if (Date.now() > deadline)
      throw new Error('The demo froze no review of the last month within ten minutes.')
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

const startDemo = (folder: string): Promise<{ url: string; child: ChildProcess }> =>
  new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', 'scripts/demo.ts', '--directory', folder]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      output += chunk.toString()
      const url = /runs at (http:\S+)/.exec(output)?.[1]
      if (url !== undefined) resolve({ url, child })
    })
    child.on('close', (code) => reject(new Error(`The demo ended with ${code ?? 'a signal'}.`)))
  })

/** The fleet is worth a picture when every host has reported and a silent one is marked. */
const waitUntilSettled = async (url: string): Promise<void> => {
  const deadline = Date.now() + SETTLED_LIMIT_MS
  for (;;) {
    const answer = await fetch(new URL(apiPaths.freshness(), url))
    const { hostCount, silentHosts } = freshnessSchema.parse(await answer.json())
    const hasReported = silentHosts.every(({ seenAt }) => seenAt !== null)
    if (hostCount > 0 && hasReported && silentHosts.length > 0) return
    if (Date.now() > deadline) throw new Error('The demo’s fleet did not settle within ten minutes.')
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

const takePictures = async (url: string, pictures: readonly Picture[]): Promise<void> => {
  mkdirSync(OUTPUT, { recursive: true })
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_FLAGS })
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        timezoneId: 'Europe/Paris',
      })
      page.setDefaultTimeout(150_000)
      for (const picture of pictures) {
        await page.goto(new URL(picture.path, url).href)
        await page
          .getByText(/Data from \d\d:/)
          .filter({ visible: true })
          .first()
          .waitFor()
        await picture.ready(page).waitFor()
        // The navigation reads separately: its cloud and its number of findings come after the page.
        await page.getByRole('link', { name: /^Findings \d/ }).waitFor()
        await page.getByText('…', { exact: true }).filter({ visible: true }).waitFor({ state: 'detached' })
        await page.evaluate(() => document.fonts.ready)
        const file = path.join(OUTPUT, `${picture.name}-${colorScheme}.png`)
        await page.screenshot({ path: file })
        process.stdout.write(`${file}\n`)
      }
      await page.close()
    }
  } finally {
    await browser.close()
  }
}

const given = process.argv[2]
if (given === undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-screenshots-'))
  const { url, child } = await startDemo(folder)
  try {
    await waitUntilSettled(url)
    await takePictures(url, [...PICTURES, await reviewPicture(url)])
    const { planPath, address } = await planChange(url)
    await takePictures(url, [{ name: 'change-plan', path: planPath, ready: steps }])
    const running = await beginChange(url, address)
    await takePictures(url, [{ name: 'change', path: running, ready: steps }])
  } finally {
    child.removeAllListeners('close')
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  await takePictures(given, [...PICTURES, await reviewPicture(given)])
}
