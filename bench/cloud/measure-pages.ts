import { type BrowserContext, chromium } from '@playwright/test'
import {
  agentSettingsPath,
  auditPath,
  capacityPath,
  catalogPath,
  changesPath,
  findingsPath,
  flavorPath,
  flavorsPath,
  gpuHeadroomPath,
  gpuPath,
  gpusPath,
  hostPath,
  hostsPath,
  limitSetUpPath,
  migrationPath,
  newFlavorPath,
  overviewPath,
  quotaRequestsPath,
  quotasPath,
  typePath,
} from '@/lib/util/paths'
import { scenariosPath } from '@/lib/util/planning-paths'
import { BROWSER_FLAGS, ensureBrowser } from '../../scripts/testing/browser'
import type { PreparedWorld } from './prepare-world'
import { openSignedIn, type Samples } from './signed-in-console'

export type MeasuredPage = {
  name: string
  /** From the navigation to a page whose heading is there and in which nothing loads; null: not within the limit. */
  usableMs: number | null
  domNodes: number
  /** Unpacked. */
  htmlBytes: number
  scriptBytes: number
}

const LIMIT_MS = 120_000

const adminPages = ({ host, address, type, flavor }: Samples): [name: string, path: string][] => [
  ['Overview', overviewPath()],
  ['GPUs', gpusPath()],
  ['GPU', gpuPath({ host, address })],
  ['Hosts', hostsPath()],
  ['Host', hostPath({ host })],
  ['Findings', findingsPath()],
  ['Changes', changesPath()],
  ['Flavors', flavorsPath()],
  ['Flavor', flavorPath({ flavor })],
  ['New flavor', newFlavorPath()],
  ['vGPU type', typePath({ type })],
  ['Headroom for GPU servers', gpuHeadroomPath()],
  ['Live migration', migrationPath()],
  ['Quotas', quotasPath()],
  ['Quota requests', quotaRequestsPath()],
  ['Setup of unified limits', limitSetUpPath()],
  ['Capacity', capacityPath()],
  ['Scenario planner', scenariosPath({ search: { a: 'new' } })],
  ['Agents', agentSettingsPath()],
  ['Audit', auditPath()],
]

const measureOne = async (
  context: BrowserContext,
  { name, url }: { name: string; url: string },
): Promise<MeasuredPage> => {
  const page = await context.newPage()
  try {
    const beganMs = performance.now()
    const answer = await page.goto(url, { waitUntil: 'commit', timeout: LIMIT_MS })
    const usableMs = await page
      .waitForFunction(
        () => document.querySelector('main h1') !== null && document.querySelector('main .shimmer') === null,
        null,
        { timeout: LIMIT_MS, polling: 50 },
      )
      .then(
        () => performance.now() - beganMs,
        () => null,
      )
    await page.waitForLoadState('load')
    const [domNodes, scriptBytes] = await page.evaluate(() => [
      document.querySelectorAll('*').length,
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ initiatorType, name: at }) => initiatorType === 'script' || at.includes('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    ])
    return {
      name,
      usableMs,
      domNodes: domNodes ?? 0,
      htmlBytes: (await answer?.body())?.length ?? 0,
      scriptBytes: scriptBytes ?? 0,
    }
  } finally {
    await page.close()
  }
}

/** Each page with an empty cache, the processor at full speed. */
export const measurePages = async (world: PreparedWorld): Promise<MeasuredPage[]> => {
  const { console, admin, tenant, samples } = await openSignedIn(world)
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_FLAGS })
  const measured: MeasuredPage[] = []
  const visit = async (cookie: string, pages: [name: string, path: string][]): Promise<void> => {
    for (const [name, path] of pages) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const [key = '', value = ''] = (cookie.split('; ')[0] ?? '').split(/=(.*)/s)
      await context.addCookies([{ name: key, value, url: console.address }])
      measured.push(await measureOne(context, { name, url: `${console.address}${path}` }))
      await context.close()
    }
  }
  try {
    await visit(admin, adminPages(samples))
    await visit(tenant, [['Catalog (tenant)', catalogPath()]])
  } finally {
    await browser.close()
    await console.stop()
  }
  return measured
}
